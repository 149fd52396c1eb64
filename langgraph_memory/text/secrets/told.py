"""Credentials that a sentence, a command or a header tells, in many languages.

Each form is a word that names a credential, a bounded stretch, and a value. How much the value must
look like one depends on the form: a password is mixed, a token opaque, a code has digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from langgraph_memory.text.secrets import words
from langgraph_memory.text.secrets.names import PASSWORD, SECRET, TOKEN

Span = tuple[int, int, str]

CODE = "security code"

_PASSWORDS = (
    r"(?:passwor[dt]s?|passphrase|passcode|kennwort|pa[sß]+wort|mots? de passe|contraseñas?"
    r"|contrasenya|clave(?: de acceso)?|senha|palavra-passe|parola(?: d['’]ordine)?|wachtwoord"
    r"|hasł[oaem]{1,2}|şifre\w{0,4}|sifre\w{0,4}|parolam|lösenord\w{0,3}|adgangskode\w{0,2}"
    r"|passord"
    r"|heslo|jelsz\w{1,5}|salasana\w{0,3}|lozinka|parol[ae]|mật khẩu|kata sandi"
    r"|парол[ьяеюи]\w{0,2}"
    r"|пароль|κωδικός|סיסמ[הא]|كلمة (?:المرور|السر)|كلمة مرور\w{0,2}|الرقم السري|رمز عبور|पासवर्ड"
    r"|パスワード|暗証番号|비밀번호|密码|密碼)"
)
_STEMS = (
    "pass", "kennwort", "mot de", "mots de", "contrase", "clave", "senha", "parol", "wachtwoord",
    "hasł", "şifre", "sifre", "lösenord", "adgangskode", "heslo", "jelsz", "salasana", "lozinka",
    "mật", "sandi", "парол", "κωδικός", "סיסמ", "كلمة", "السري", "رمز", "पासवर्ड", "パスワード",
    "暗証番号", "비밀번호", "密码", "密碼",
)  # fmt: skip
"""One of these stands in every word for a password, in small letters."""

_IS = (
    r"(?::|=|：|＝|—|–|->|\bis\b|\bist\b|\blautet\b|\best\b|\bes\b|\bé\b|\bè\b|\bjest\b|\bto\b"
    r"|\bär\b"
    r"|\ber\b|\bje\b|\bon\b|\blà\b|\badalah\b|هي|هو|这|は|が|은|는|是|为)"
)
_CHANGED = (
    r"(?:(?:has been|have been|had been|was|were|is|got|will be|['’]s)\s)?(?:now\s)?"
    r"(?:changed|set|reset|updated|rotated|switched|geändert|gesetzt)\s(?:to|auf)"
)
_VALUE = r"[\"'“”‘’«»`]?(?P<v>[^\s\"'“”‘’«»`\u3040-\u30ff\u3400-\u9fff]{4,64})"
_BETWEEN = r"(?:\s[^\s:=：]{1,20}){0,4}?\s?"
_LATIN = r"A-Za-z0-9"


class _Form(NamedTuple):
    gates: tuple[str, ...]
    pattern: re.Pattern[str]
    kind: str
    holds: Callable[[str], bool]


def _mixed(value: str) -> bool:
    return (
        len(value) >= 6
        and words.mixed(value)
        and not words.is_technical(value)
        and not words.is_measure(value)
        and not words.is_placeholder(value)
        and not _ADDRESS.search(value)
    )


_ADDRESS = re.compile(
    r"://|@[\w-]+\.|^[\w.-]+\.(?:com|org|net|de|io|html?|php|md|txt)\b|[(\[{]|^\d+[.,:/-]\d"
)


def _opaque(value: str) -> bool:
    """Tell whether letters of both sizes and digits stand as only chance puts them."""
    sizes = sum(map(str.isupper, value)), sum(map(str.islower, value))
    digits = any(map(str.isdigit, value))
    return digits and min(sizes) >= 3 and not words.is_placeholder(value)


def _random(value: str) -> bool:
    """Tell whether letters and digits stand mixed, where a name leaves no doubt."""
    return sum(map(str.isdigit, value)) >= 3 and not value.isdigit() and len(set(value)) >= 8


def _hyphened(value: str) -> bool:
    return words.is_passphrase(value.replace("-", " "))


def _numbered(value: str) -> bool:
    return any(map(str.isdigit, value))


def _any(value: str) -> bool:
    return not words.is_placeholder(value) and not value.startswith(("$", "<", "{", "-"))


def _option(value: str) -> bool:
    return _any(value) and not value.isdigit()  # a port


def _pair(value: str) -> bool:
    return _mixed(value) and "/" not in value


def _form(
    gates: tuple[str, ...], pattern: str, kind: str, holds: Callable[[str], bool] = _mixed
) -> _Form:
    return _Form(gates, re.compile(pattern, re.IGNORECASE), kind, holds)


_FORMS = (
    _form(_STEMS, rf"{_PASSWORDS}{_BETWEEN}{_IS}\s?{_VALUE}", PASSWORD),
    _form(_STEMS, rf"{_PASSWORDS}(?:\s(?:for|of|on|to|für|von)"
    rf"(?:\s[\w.-]{{1,24}}){{1,3}}?)?\s{_CHANGED}\s"
          rf"{_VALUE}", PASSWORD),
    _form(_STEMS, r"(?:şifre\w{1,4}|parolam|salasanani|jelszavam|wachtwoord|hasło|كلمة "
          r"(?:المرور|السر)|пароль)"
          rf"\s{_VALUE}", PASSWORD),
    _form(("pass",), r"\b(?:my|our) (?:[\w-]{1,12} ){0,2}pass(?:word|phrase|code) is "
          r"(?P<v>[a-z]{3,12}"
          r"(?:-[a-z]{3,12}){2,5})(?=[\s.!,;]|\Z)", PASSWORD, _hyphened),
    _form(("passphrase",), r"\b(?:my|our|the|their|a)\s(?:[\w-]{1,12}\s){0,2}passphrase"
          r"(?: is|:)\s[\"'“‘]"
          r"(?P<v>[^\"'“”‘’\n]{8,100})[\"'”’]", PASSWORD, words.is_passphrase),
    _form(("phrase", "words"), r"\b(?:seed|recovery|mnemonic|backup|secret recovery) "
          r"(?:phrase|words)\b[^:\n]{0,20}?"
          r"(?: is| are|:)\s(?P<v>[a-z]{3,8}(?: (?!(?:the|and|for|with|that|not"
          r"|from)\b)[a-z]{3,8}){11,23})",
          "seed phrase", _any),
    _form(("暗証番号", "pin"), r"\b(?:暗証番号|pin ?(?:code|nummer)?)\s?(?:は|:|lautet)\s?"
          r"(?P<v>\d{4,8})", PASSWORD, _any),
    # Codes
    _form(("wifi", "wi-fi", "wlan"), r"\b(?:wi-?fi|wlan)[ -](?:code|key|schlüssel|pass)"
          r"(?: is|:| ist| lautet)?\s"
          r"(?P<v>[^\s\"']{6,64})", PASSWORD),
    _form(("code",), r"\b(?:2fa|mfa|backup|recovery|one-time|otp)(?: (?:backup"
          r"|recovery))? codes?(?: is| are|:)"
          rf"\s(?P<v>[{_LATIN}]{{4,10}}(?:[- ]"
          rf"(?=[{_LATIN}]{{0,9}}\d)[{_LATIN}]{{4,10}}){{0,12}})",
          CODE, _numbered),
    _form(("otp", "fa ", "authenticator"), r"\b(?:t?otp|2fa|mfa|authenticator) (?:seed"
          r"|secret|key)(?: is|:)\s(?P<v>[A-Z2-7]{16,64})\b",
          SECRET, _any),
    _form(("cvv", "cvc", "security code"), r"\b(?:cvv2?|cvc2?|card security code)\s?(?::|is"
          r"|number)?\s?(?P<v>\d{3,4})\b", CODE, _any),
    _form(("key",), r"\b(?:licen[cs]e|activation|product|serial) key(?: is|:)\s"
          rf"(?P<v>[{_LATIN}]{{4,8}}(?:-[{_LATIN}]{{4,8}}){{2,7}})", SECRET, _any),
    # Tokens
    _form(("token", "key", "secret"), rf"\b(?:token|key|secret)s?(?: is| are|:|=)?\s[\"'`]?"
    rf"(?P<v>[{_LATIN}_+/=.-]{{24,512}})", TOKEN,
          _opaque),
    _form(("token", "key"), rf"\b(?:api|access|auth|refresh|bearer|session|deploy) (?:token"
    rf"|key)s?(?: is|:|=)?\s[\"'`]?"
          rf"(?P<v>[{_LATIN}_+/=-]{{20,512}})", TOKEN, _random),
    _form(("key",), rf"\b(?:fernet|hmac|jwt|cipher|crypto|deploy"
    rf"|wireguard)[_-]?key\s?[:=]\s?[\"'`]?"
          rf"(?P<v>[{_LATIN}_+/=-]{{16,512}})", SECRET, _any),
    _form(("cookie",), r"\b(?:session|auth|login)[ _-]cookie(?: is|:|=)?\s?[\"'`]?"
          rf"(?P<v>[{_LATIN}_+/=%.-]{{16,512}})", "session cookie", _random),
    _form(("cookie:",), r"\b(?:set-)?cookie:\s(?:[^\n;]{1,80};\s?){0,4}?[\w-]{0,32}(?:sess"
          r"|sid|auth|token|login|jwt)"
          r"[\w.-]{0,32}=(?P<v>[^\s;\"']{8,512})", "session cookie", _any),
    # Pairs and commands
    _form(("login", "cred", "daten", "identifiants", "inlog", "logowania"), r"\b(?:login"
          r"|credentials|creds|zugangsdaten|anmeldedaten|identifiants|credenciales"
          r"|credenziali|inloggegevens|dane logowania)\b(?:\s(?:for|to|zu|für|de|del|per|voor)"
          r"(?:\s[\w.-]{1,24}){1,3}?)?(?::|\s(?:is|are|sind|son|sono|zijn))?\s"
          r"[\w@+-]{2,40}(?:\s?/\s?|:)(?P<v>[^\s/]{6,64})", PASSWORD, _pair),
    _form(("log",), r"\blog(?:ging|ged)? ?in as \S{1,40} (?:with|using|and) (?:the )?"
          r"(?:password )?"
          r"(?P<v>\S{6,64})", PASSWORD),
    _form(("login",), r"\blogin \S{1,64}\s+password (?P<v>\S{4,128})", PASSWORD, _any),
    _form(("login",), r"\b(?:docker|podman|helm|az|oc|npm|cf|vault"
          r"|argocd)\b[^\n]{0,60}?\blogin\b[^\n]{0,200}?\s"
          r"(?:-p|--password)[ =]['\"]?(?P<v>[^\s'\"]{4,200})", PASSWORD, _any),
    _form(("redis-cli", "ldapsearch", "mongo", "htpasswd", "wget"),
          r"\b(?:redis-cli\b[^\n]{0,120}?\s(?:-a|--pass)|ldapsearch\b[^\n]{0,200}?\s-w"
          r"|mongo(?:sh|dump)?\b"
          r"[^\n]{0,200}?\s-p|htpasswd\s-b\S{0,3}\s\S+\s\S+|wget\b[^\n]{0,120}?--"
          r"(?:http-)?password)"
          r"[ =]['\"]?(?P<v>[^\s'\"]{4,200})", PASSWORD, _option),
    _form(("pass:",), r"\b(?:passin|passout|pass)[ =]pass:(?P<v>[^\s'\"]{4,200})", PASSWORD, _any),
)  # fmt: skip


def find(text: str) -> Iterator[Span]:
    """Yield start, end and kind of each; they may overlap."""
    folded = text.lower()
    for form in _FORMS:
        if not any(gate in folded for gate in form.gates):
            continue
        for found in form.pattern.finditer(text):
            value = found["v"].rstrip(".,;:?)]»")
            if len(value) >= 3 and form.holds(value):
                yield found.start("v"), found.start("v") + len(value), form.kind
