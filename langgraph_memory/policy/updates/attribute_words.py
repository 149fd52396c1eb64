"""Word lists behind ``attributes``; data, no rules."""

from __future__ import annotations

import re

TEAM = r"(?:team|squad|group|department|division|crew)"

ROLES = (
    r"(?:engineer|developer|manager|director|designer|analyst|architect|lead|consultant|teacher"
    r"|professor|nurse|doctor|lawyer|accountant|student|intern|freelancer|president|officer|ceo|cto"
    r"|cfo|coo|founder|chef|writer|editor|scientist|researcher|administrator|assistant|coordinator"
    r"|supervisor|producer|pilot|driver|salesperson|recruiter|principal|head chef|partner)"
)

OWNS = (
    r"(?:owns?|leads?|runs?|manages?|maintains?|handles?|heads?|oversees?|looks? after|takes?"
    r" care of"
    r"|(?:is|am|are) (?:now )?(?:responsible for|in charge of|the owner of|leading|managing|running"
    r"|handling|taking over)|took over|takes? over|taken over|inherited|takes? on|took on)"
)

LIKES = (
    r"(?:likes?|loves?|enjoys?|adores?|(?:have|has) (?:liked|loved|enjoyed)|(?:is|am|are) (?:a"
    r" (?:big |huge )?fan of|into|fond of|crazy about"
    r"|keen on))"
)
DISLIKES = (
    r"(?:hates?|(?:have|has) (?:hated|disliked)|dislikes?|detests?|loathes?|can not stand"
    r"|(?:do|does) not (?:really )?(?:like|love|enjoy)"
    r"|no longer (?:likes?|loves?|enjoys?)|(?:is|am|are) (?:not|no longer) (?:a fan of|into"
    r"|fond of)"
    r"|(?:is|am|are) (?:sick|tired) of|went off|lost (?:my |all )?interest in)"
)

# The last word of what somebody or something has one of.
_NOUNS = """
name surname nickname username handle email e-mail phone number mobile telephone address zip
postcode birthday age title role job employer position salary wage rate
manager boss supervisor mentor dentist doctor physician therapist lawyer landlord accountant coach
teacher advisor tutor hairdresser assistant successor owner lead contact
deadline budget limit quota price cost fee rent target goal priority status severity
language colour color size height weight diet
editor ide browser shell framework database db stack provider host vendor supplier bank insurer
insurance carrier plan tier subscription license version region timezone zone port password passcode
pin code url domain branch environment schema format default theme mode font currency
timeout interval retention capacity threshold headcount duration frequency ratio margin discount
tax
capital headquarters currency
major university car bike laptop computer employer bank airline
"""
QUESTIONS = {
    "employer": "work job employer company",
    "home": "live home city address",
    "title": "job title role",
    "chief": "manager boss reports to",
    "team": "team project work on",
    "spouse": "married partner",
}
"""Words by which people ask for an attribute, whichever words stated it."""

NO_EMPLOYER = re.compile(
    r"^(?:the|a|an)\b|\b(?:party|club|gym|fitness|premium|prime|church|choir|band|league|union"
    r"|society"
    r"|association|community|forum|group|team|class|course|school|night|monday|tuesday|wednesday"
    r"|thursday|friday|saturday|sunday)\b"
    r"|^(?:LinkedIn|Instagram|Twitter|TikTok|WhatsApp|Telegram|Discord|Slack|Reddit|Pinterest"
    r"|Snapchat"
    r"|Mastodon|Bluesky|Facebook|Netflix|Spotify|Hulu|Disney|YouTube|Twitch|Duolingo|Tinder"
    r"|Bumble|Hinge"
    r"|Strava|Costco|Rotary|Toastmasters|Lions|Mensa|Greenpeace|Patreon|Substack|Medium|Zoom|Skype"
    r"|Signal|Kindle|Audible|Scouts)\b",
    re.IGNORECASE,
)
"""What people join, or are at, that employs few of them."""

NO_HOME = re.compile(
    r"\b(?:floor|flat|apartment|house|room|street|moment|fear|chapter|page|step|level|desk|diet|row"
    r"|question|topic|plan|tier|version)\b"
    r"|^(?:Linux|Ubuntu|Debian|Windows|Mac|macOS|iOS|Android|Python|Java|JavaScript|TypeScript"
    r"|Rust|Go"
    r"|React|Vue|Angular|Svelte|Django|Postgres|PostgreSQL|MySQL|MongoDB|Redis|AWS|Azure|GCP|Google"
    r"|GitHub|GitLab|Jira|Slack|Teams|Notion|Vim|Emacs|VS|Chrome|Firefox|Docker|Kubernetes)\b",
    re.IGNORECASE,
)
"""What people live in, or move to, without a new address."""

SAME_ATTRIBUTE = {
    "title": "title", "job title": "title", "job": "title", "role": "title", "position": "title",
    "employer": "employer", "company": "employer", "manager": "chief", "boss": "chief",
    "supervisor": "chief", "line manager": "chief",
}  # fmt: skip
"""Nouns that name an attribute which verbs state, too."""

_FIRST = r"^(?:favou?rite|preferred|default|primary|main|minimum|maximum|min|max|go-to|usual)\b"
ATTRIBUTES = re.compile(rf"(?:\b(?:{'|'.join(_NOUNS.split())})$)|{_FIRST}")

# One line, one property; its sides, of which one holds.
_STATES = """
enabled, on, turned on, switched on, activated, active | disabled, off, turned off, switched off, \
deactivated, inactive, paused, suspended
open, reopened, opened, staying open | closed, shut, closing, shutting down, merged, resolved, \
done, completed, finished, fixed
allowed, permitted, okay, ok, fine | forbidden, prohibited, banned, disallowed, blocked
required, mandatory, compulsory | optional, voluntary
approved, accepted, confirmed | rejected, declined, denied | pending \
| cancelled, canceled, called off | postponed, on hold
available, in stock, back in stock | unavailable, sold out, out of stock
online, up, back up, reachable | offline, down, unreachable
public | private, confidential
single | married | engaged | divorced, separated | widowed | dating, in a relationship
vegetarian, a vegetarian | vegan, a vegan | pescatarian, a pescatarian | omnivore, an omnivore, \
a meat eater
employed | unemployed, out of work, jobless | retired | self-employed
free, free of charge | paid
draft, a draft | published, live
full | empty
healthy, well | ill, sick
pregnant | not pregnant
alive | dead, gone
working, working again, back in order | out of order, broken, broken down
supported | deprecated, unsupported, retired
locked | unlocked
signed | unsigned
"""
STATES = tuple(
    tuple(frozenset(name.strip() for name in side.split(",")) for side in line.split("|"))
    for line in _STATES.strip().replace("\\\n", "").splitlines()
)
