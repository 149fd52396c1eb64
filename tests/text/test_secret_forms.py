"""Keys of many services by their form, what is told in many languages, and what is neither; R50.

Figures are printed with ``-s``.
"""

from __future__ import annotations

import random
import string
import time

import pytest

from langgraph_memory.text.secrets import find, redact

LETTERS = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + "234567"
HEX = "0123456789abcdef"
CHANCE = random.Random(29)


def drawn(length: int, signs: str = LETTERS) -> str:
    return "".join(CHANCE.choices(signs, k=length))


SHAPED = [
    f"figd_{drawn(40)}", f"key-{drawn(32, HEX)}", f"{drawn(32, HEX)}-us7",
    f"NRAK-{drawn(27, string.ascii_uppercase + string.digits)}", f"dp.st.prd.{drawn(43)}",
    f"pat{drawn(14)}.{drawn(64, HEX)}", f"ATATT3xFfGF0{drawn(170)}", f"pscale_pw_{drawn(43)}",
    f"sbp_{drawn(40, HEX)}", f"pcsk_{drawn(70)}", f"sq0csp-{drawn(43)}", f"EAAA{drawn(60)}",
    f"secret_{drawn(43)}", f"ntn_{drawn(46)}", f"glc_{drawn(60)}", f"SSWS 00{drawn(40)}",
    f"GR1348941{drawn(20)}", f"sntryu_{drawn(64, HEX)}", f"re_{drawn(8)}_{drawn(24)}",
    f"xkeysib-{drawn(64, HEX)}-{drawn(16)}", f"HRKU-{drawn(60)}", f"rubygems_{drawn(48, HEX)}",
    f"dt0c01.{drawn(24, UPPER)}.{drawn(64, UPPER)}",
    f"pul-{drawn(40, HEX)}", f"sb_secret_{drawn(30)}", f"shpca_{drawn(32, HEX)}",
    f"doo_v1_{drawn(64, HEX)}", f"csk-{drawn(48)}", f"FlyV1 fm2_{drawn(120)}",
    f"$2b$12${drawn(53)}",
]  # fmt: skip
TOLD = [
    ("my passphrase is tulip-garden-window", "tulip-garden-window"),
    ("The admin password was changed to Melon-77-chair.", "Melon-77-chair"),
    ("password of the router has been reset to Qx9!kd02", "Qx9!kd02"),
    ("Das Kennwort für das WLAN lautet Blume_2031", "Blume_2031"),
    ("La password del portale è Verde!2031", "Verde!2031"),
    ("Het wachtwoord van de server is Fiets-8821", "Fiets-8821"),
    ("Moje hasło do poczty to Zamek9931", "Zamek9931"),
    ("Hasło: Rower-8812", "Rower-8812"), ("Şifrem Deniz8842x", "Deniz8842x"),
    ("Şifre: Bursa77kx", "Bursa77kx"), ("كلمة السر: Qamar2031", "Qamar2031"),
    ("كلمة المرور للبريد هي Bahr9912", "Bahr9912"),
    ("A senha do wifi é Praia2031", "Praia2031"), ("palavra-passe: Lisboa_88", "Lisboa_88"),
    ("Пароль от почты: Osen2031x", "Osen2031x"), ("мой пароль — Leto9921x", "Leto9921x"),
    ("パスワードは Fuji8821x です", "Fuji8821x"), ("La clave del wifi es Toro8821x", "Toro8821x"),
    ("Mitt lösenord är Vinter_88", "Vinter_88"),
    ("Le mot de passe du portail est Lune8821!", "Lune8821!"),
    ("My API token aB3dE5gH7jK9mN1pQ3sT5vX7", "aB3dE5gH7jK9mN1pQ3sT5vX7"),
    ("FERNET_KEY=cJ8sKd0aLq2mNx7vBz4tYw1eRf6gUh3i=", "cJ8sKd0aLq2mNx7vBz4tYw1eRf6gUh3i="),
    ("Cookie: theme=dark; session_token=k2j4h6g8f0d1s3a5", "k2j4h6g8f0d1s3a5"),
    ("Our session cookie is x81hs72kd93jf04kd85h", "x81hs72kd93jf04kd85h"),
    ("podman login -u eve -p Zebra7712 registry.example.com", "Zebra7712"),
    ("machine git.example.com login eve password zebra7712", "zebra7712"),
    ("redis-cli -h cache -a Zebra7712 ping", "Zebra7712"),
    ("login for the lab: eve / Zebra7712!", "Zebra7712!"),
    ("Log in as eve with Zebra7712", "Zebra7712"),
    ("recovery codes: 9d2k-88xm 7f1p-20qz", "9d2k-88xm 7f1p-20qz"),
    ("The TOTP secret is KRSXG5CTMVRXEZLU", "KRSXG5CTMVRXEZLU"),
    ("https://x.blob.example.net/c?sv=1&sig=" + "aB3%2F" * 8, "aB3%2F" * 8),
    ("The licence key is QWER-8812-TYUI-9913", "QWER-8812-TYUI-9913"),
    ("card 4111.1111.1111.1111 of the firm", "4111.1111.1111.1111"),
    ("The CVC is 882", "882"),
]  # fmt: skip
NEITHER = [
    "my password is too long",
    "the password policy was changed to 12 characters",
    "I forgot my password",
    "The password was changed to something else yesterday",
    "My password has been reset by the admin",
    "Our password rules changed to 90-day rotation",
    "The password field was renamed to pwd2",
    "The passphrase is longer than the password",
    "The token count is 128000 for gpt-4o-mini-2024-07-18",
    "token usage per request: 2048",
    "The key is 550e8400-e29b-41d4-a716-446655440000",
    "key: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "primary key: customer_order_line_item_id",
    "The key for sorting is created_at_timestamp_utc",
    "cache key user:profile:12345:settings:v2",
    "The cookie banner is annoying",
    "Cookie: please accept our policy",
    "The session cookie expires after 30 minutes",
    "cookies are baked at 180C for 12 minutes",
    "The 2FA code is sent by SMS",
    "backup codes are in the safe",
    "The recovery code is printed on paper",
    "The QR code is on page 12",
    "The product code is B07X-44",
    "The license key is required for version 2.0",
    "activation key: see the e-mail",
    "the seed phrase is a list of words that you keep and never share with anybody",
    "login to the portal and/or call 555-0199",
    "login at example.com/page2-x",
    "Login: see page 12/14",
    "credentials are checked in step2/step3",
    "Log in as admin with OAuth2",
    "log in as guest with one-time-code",
    "The Wi-Fi code is on the router",
    "wifi key: printed on the back",
    "WLAN pass: ask Ann",
    "la password è scaduta ieri",
    "ho dimenticato la password",
    "il wachtwoord moet 8-16 tekens hebben",
    "ik ben mijn wachtwoord vergeten",
    "Zapomniałem hasło do poczty",
    "hasło musi mieć 12 znaków",
    "şifremi unuttum",
    "Şifre en az 8 karakter olmalı",
    "نسيت كلمة المرور",
    "كلمة المرور قصيرة جدا",
    "esqueci minha senha do banco",
    "A senha deve ter 8 caracteres",
    "я забыл пароль от почты",
    "пароль должен быть длиннее 12 символов",
    "パスワードを忘れました",
    "パスワードは8文字以上です",
    "mot de passe oublié",
    "Le mot de passe est trop court",
    "La clave del éxito es la paciencia",
    "La clave es escuchar 24/7",
    "La parola è d'argento",
    "The docker login fails with code 401",
    "docker login registry.example.com -u bob --password-stdin",
    "run mongo -p 27017",
    "git commit 3f785a3b8c9d4e5f6a7b8c9d0e1f2a3b4c5d6e7f fixes it",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    "The image token is <image_1234567890abcdef>",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "Order key-results-for-Q3-2025 with the team",
    "The patient id is pat12345678901234",
    "EAAA is a school district association",
    "secret_santa_list_2025_final_version_for_the_office",
    "re_use of components in 2024",
    "dp.pt. is a prefix of Doppler tokens",
    "He is in dapi district 12",
    "The hash 5f4dcc3b5aa765d61d8327deb882cf99 is md5",
    "x-request-id: 7f3c1b2a9d8e4f60a1b2c3d4e5f60718",
    "The cvv is on the back of the card",
    "The key takeaway: 3 of 4 teams shipped",
    "my password is case-sensitive",
    "the password is easy-to-guess",
    "our password is up-to-date",
    "Bearer of good news arrived at 10:30",
    "api keys: see https://docs.example.com/v2/keys",
    "The API key is valid for 90 days",
    "access token lifetime: 3600 seconds",
    "clave del hotel: recepción 24h",
]


@pytest.mark.parametrize("key", SHAPED)
def test_the_key_of_a_service_is_known_by_its_form(key: str) -> None:
    for text in (key, f"Please keep {key} for later.", f'{{"x": "{key}"}}'):
        assert drawn_part(key) not in redact(text)


def drawn_part(key: str) -> str:
    return key[-12:]


@pytest.mark.parametrize(("text", "value"), TOLD)
def test_what_is_told_in_a_sentence_or_a_command_is_found(text: str, value: str) -> None:
    assert value not in redact(text)
    assert redact(redact(text)) == redact(text)


def test_what_is_neither_stays() -> None:
    changed = [(each, redact(each)) for each in NEITHER if redact(each) != each]
    print(f"\n{len(changed)} of {len(NEITHER)} ordinary texts changed")
    assert changed == []


@pytest.mark.parametrize(
    "part",
    ["password ", "login ", "key ", "cookie: a=b; ", "docker login ", "backup codes: 1234 ",
     "wachtwoord a b ", "passwords are set to", "recovery words ", "credentials for ", "пароль ",
     "secret_", "pat", "EAAA", "sk_live_"],
)  # fmt: skip
def test_a_hostile_text_takes_no_long_time(part: str) -> None:
    text = (part * 200_000)[:200_000]
    started = time.process_time()
    find(text)
    assert time.process_time() - started < 2.0
