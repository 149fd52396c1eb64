"""From a question to a small set of evidence: candidates, fusion, ranking, evidence."""
