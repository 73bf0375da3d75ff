#!/usr/bin/env python3
"""Makes tokens.json: keys of a sign-in service and tokens that they have signed, by an implementation that shares no
code with the server's. Needs joserfc: `pip install joserfc`; then `make-tokens.py > tokens.json`."""

import json

from joserfc import jws, jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey

FOREVER = 9_999_999_999
ISSUER, AUDIENCE = "https://login.example.com", "photos"
GOOD = {"sub": "anna", "iss": ISSUER, "aud": AUDIENCE, "exp": FOREVER}


def key(kind, size, kid, **more):
    return kind.generate_key(size, {"kid": kid, **more} if kid else more)


def signed(key, algorithm, claims=GOOD, kid="", **header):
    header = {"alg": algorithm, "typ": "JWT", **header}
    if kid != "":
        header["kid"] = kid
    elif key.kid:
        header["kid"] = key.kid
    header = {name: value for name, value in header.items() if value is not None}
    return jws.serialize_compact(header, json.dumps(claims), key, algorithms=[algorithm])


rsa, ec, ed = key(RSAKey, 2048, "rsa"), key(ECKey, "P-256", "ec"), key(OKPKey, "Ed25519", "ed")
short, other_curve = key(RSAKey, 1024, "short"), key(ECKey, "P-384", "p384")
encryption = key(RSAKey, 2048, "encryption")
nameless, next_key, stranger = key(ECKey, "P-256", None), key(RSAKey, 2048, "next"), key(RSAKey, 2048, "rsa")
pem = OctKey.import_key(rsa.as_pem(private=False))


def key_set(*keys):
    return {"keys": [key.as_dict(private=False) for key in keys]}


def with_claims(**claims):
    both = {**GOOD, **claims}
    return signed(ec, "ES256", {name: value for name, value in both.items() if value is not None})


print(json.dumps({
    "keys": {"keys": [
        *key_set(rsa, ec, ed, short, other_curve)["keys"],
        {**encryption.as_dict(private=False), "use": "enc", "alg": "RSA-OAEP"},
        {"kty": "oct", "kid": "secret", "k": "c2VjcmV0"}, {"kty": 7}, "no key", {"kty": "RSA", "kid": "broken", "n": "?"},
    ]},
    "nextKeys": key_set(rsa, next_key),
    "namelessKeys": key_set(nameless),
    "good": {
        "RS256": signed(rsa, "RS256"),
        "ES256": signed(ec, "ES256"),
        "EdDSA": signed(ed, "EdDSA"),
        "Ed25519": signed(ed, "Ed25519"),
        "no typ, as Apple's": signed(ec, "ES256", typ=None),
        "at+jwt": signed(rsa, "RS256", typ="at+jwt"),
        "no kid": signed(rsa, "RS256", kid=None),
        "several audiences": with_claims(aud=["others", AUDIENCE]),
        "more claims": with_claims(roles=["a"], extra={"b": 1}, iat=1, email_verified=True, uid="anna"),
        "30 seconds too early": with_claims(nbf=1_700_000_030),
    },
    "next": signed(next_key, "RS256"),
    "nameless": {"with kid": signed(nameless, "ES256", kid="any"), "without": signed(nameless, "ES256")},
    "uid": with_claims(sub="somebody", uid="anna"),
    "otherIssuer": with_claims(iss="https://accounts.example.com", aud="tablets"),
    "expired": {
        "long ago": with_claims(exp=1_000_000_000),
        "30 seconds ago": with_claims(exp=1_699_999_970),
    },
    "bad": {
        "another's key under the same kid": signed(stranger, "RS256"),
        "unknown kid": signed(rsa, "RS256", kid="unknown"),
        "kid of another kind of key": signed(rsa, "RS256", kid="ec"),
        "key of 1024 bits": signed(short, "RS256"),
        "HS256 with the public key as its secret": signed(pem, "HS256", kid="rsa"),
        "RS512": signed(rsa, "RS512"),
        "PS256": signed(rsa, "PS256"),
        "ES384": signed(other_curve, "ES384"),
        "key for encryption": signed(encryption, "RS256"),
        "another issuer": with_claims(iss="https://login.example.org"),
        "no issuer": with_claims(iss=None),
        "another audience": with_claims(aud="others"),
        "audience that begins the same": with_claims(aud="photos2"),
        "no audience": with_claims(aud=None),
        "audiences of others": with_claims(aud=["a", "b"]),
        "audience that is a number": with_claims(aud=1),
        "31 seconds too early": with_claims(nbf=1_700_000_031),
        "no exp": with_claims(exp=None),
        "exp that is a text": with_claims(exp="9999999999"),
        "no sub": with_claims(sub=None),
        "empty sub": with_claims(sub=""),
        "sub that is a number": with_claims(sub=7),
    },
}, indent=1))
