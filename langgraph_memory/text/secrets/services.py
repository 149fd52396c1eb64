"""The forms of keys and tokens of further services: what each begins with, and what follows."""

from __future__ import annotations

_ALNUM = "A-Za-z0-9"
_WORD = r"A-Za-z0-9_\-"
_HEX = "0-9a-f"


def _exactly(signs: str, count: int) -> str:
    return f"[{signs}]{{{count}}}(?![{_WORD}])"


SERVICES: tuple[tuple[str, str, str], ...] = (
    ("GitLab token", "GR1348941", f"[{_WORD}]{{20,60}}"),
    ("Mailgun API key", "key-", _exactly(_HEX, 32)),
    ("Square token", "sq0atp-", f"[{_WORD}]{{22,60}}"),
    ("Square token", "sq0csp-", f"[{_WORD}]{{22,60}}"),
    ("Square token", "sq0idp-", f"[{_WORD}]{{22,60}}"),
    ("Square token", "EAAA", _exactly(_WORD, 60)),
    *(
        ("New Relic key", f"NR{kind}-", f"[{_ALNUM}]{{20,64}}(?![{_WORD}])")
        for kind in ("AK", "JS", "II", "AA", "SP")
    ),
    ("Grafana token", "glc_", rf"[{_ALNUM}+/]{{32,400}}={{0,2}}"),
    *(
        ("Doppler token", f"dp.{kind}.", rf"[{_ALNUM}_.-]{{40,80}}")
        for kind in ("pt", "st", "ct", "sa", "scim", "audit")
    ),
    ("Notion token", "secret_", _exactly(_ALNUM, 43)),
    ("Figma token", "figd_", f"[{_WORD}]{{36,80}}"),
    ("Airtable token", "pat", rf"[{_ALNUM}]{{14}}\.[{_HEX}]{{64}}(?![{_WORD}])"),
    ("Atlassian token", "ATATT", f"[{_WORD}=]{{60,400}}"),
    ("Atlassian token", "ATCTT", f"[{_WORD}=]{{60,400}}"),
    ("Bitbucket token", "ATBB", _exactly(_ALNUM, 32)),
    ("Okta token", "SSWS ", f"[{_WORD}]{{20,80}}"),
    *(
        ("PlanetScale token", f"pscale_{kind}_", f"[{_WORD}.=]{{32,80}}")
        for kind in ("tkn", "pw", "oauth")
    ),
    ("Supabase token", "sbp_", _exactly(_HEX, 40)),
    ("Supabase key", "sb_secret_", f"[{_WORD}]{{20,80}}"),
    ("Pinecone API key", "pcsk_", f"[{_WORD}]{{40,120}}"),
    *(("Shopify token", f"shp{kind}_", _exactly("0-9a-fA-F", 32)) for kind in ("ca", "pa", "ss")),
    *(
        ("DigitalOcean token", f"do{kind}_v1_", _exactly(_HEX, 64))
        for kind in ("o", "r")
    ),
    ("Facebook token", "EAACEdEose0cBA", f"[{_ALNUM}]{{20,300}}"),
    ("Cloudinary address", "cloudinary://", rf"[0-9]{{10,20}}:[{_WORD}]{{20,40}}"),
    ("Dynatrace token", "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("RubyGems key", "rubygems_", _exactly(_HEX, 48)),
    ("Sentry token", "sntrys_", f"[{_ALNUM}+/=_-]{{60,400}}"),
    ("Sentry token", "sntryu_", _exactly(_HEX, 64)),
    ("PostHog key", "phx_", f"[{_ALNUM}]{{32,60}}"),
    ("Prefect key", "pnu_", _exactly(_ALNUM, 36)),
    ("Pulumi token", "pul-", _exactly(_HEX, 40)),
    ("Readme key", "rdme_", f"[{_ALNUM}]{{60,80}}"),
    ("Clojars token", "CLOJARS_", f"[{_HEX}]{{60}}"),
    ("Terraform token", "atlasv1.", f"[{_WORD}]{{60,80}}"),
    ("Fly token", "FlyV1 fm", rf"[0-9a-z]_[{_ALNUM}+/=,_-]{{40,1000}}"),
    ("Resend API key", "re_", rf"[{_ALNUM}]{{8}}_[{_ALNUM}]{{20,32}}(?![{_WORD}])"),
    ("Brevo API key", "xkeysib-", rf"[{_HEX}]{{64}}-[{_ALNUM}]{{16}}"),
    ("Contentful token", "CFPAT-", f"[{_WORD}]{{40,64}}"),
    ("Vercel token", "vcp_", f"[{_ALNUM}]{{24,80}}"),
    ("Netlify token", "nfp_", f"[{_ALNUM}]{{36,60}}"),
    ("Heroku key", "HRKU-", f"[{_WORD}]{{36,70}}"),
    ("Fireworks API key", "fw_", f"[{_ALNUM}]{{20,40}}(?![{_WORD}])"),
    ("Cerebras API key", "csk-", f"[{_ALNUM}]{{40,60}}"),
    ("Langfuse key", "sk-lf-", rf"[{_HEX}]{{8}}(?:-[{_HEX}]{{4}}){{3}}-[{_HEX}]{{12}}"),
    ("Firecrawl API key", "fc-", _exactly(_HEX, 32)),
    ("Slack token", "xoxe.xox", f"[bp]-[{_WORD}.]{{20,300}}"),
    ("Mapbox token", "sk.eyJ", rf"[{_WORD}]{{20,400}}\.[{_WORD}]{{16,60}}"),
    ("Telegram bot token", "/bot", rf"[0-9]{{8,10}}:[{_WORD}]{{35}}(?![{_WORD}])"),
    ("WireGuard key", "PrivateKey = ", rf"[{_ALNUM}+/]{{43}}="),
    ("password hash", "$apr1$", rf"[{_ALNUM}./]{{1,8}}\$[{_ALNUM}./]{{22}}"),
    ("password hash", "$2b$", rf"[0-9]{{2}}\$[{_ALNUM}./]{{53}}"),
    ("password hash", "$2y$", rf"[0-9]{{2}}\$[{_ALNUM}./]{{53}}"),
)  # fmt: skip
"""Kind, beginning and pattern of the rest. What words could form must look drawn by lot."""
