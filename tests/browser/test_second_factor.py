"""A second factor in Chromium: an app by its QR code, and a passkey of a virtual authenticator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyotp
import pytest

from browser.conftest import Person
from support.axe import violations
from support.served import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page

PASSWORD = "seven quiet lanterns"
KEY = {"protocol": "ctap2", "transport": "usb", "hasUserVerification": True, "isUserVerified": True}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house under a name, which passkeys need."""
    served = Served(tmp_path_factory.mktemp("named"), LAMMER_TABLES="0").start()
    served.address = served.address.replace("127.0.0.1", "localhost")
    yield served
    served.stop()


def come_in(page: Page, house: Served, role: str) -> None:
    """By the link, choosing a password."""
    page.goto(f"/link{house.links[role].partition('/link')[2]}")
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Come in").click()


def sign_in(page: Page, role: str) -> None:
    page.goto("/sign-in")
    page.fill("[name=name]", role)
    page.fill("[name=password]", PASSWORD)
    page.locator("form.door button").click()


def test_an_app_is_set_up_and_asked_for(person: Person, named: Served) -> None:
    page = person(at=named)
    come_in(page, named, "dealer")
    page.locator(".who a.name").click()
    page.locator("form", has_text="Set an app up").get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Set an app up").click()
    page.locator(".qr-code svg").wait_for()
    assert violations(page) == []
    app = pyotp.TOTP(page.locator("#secret").inner_text())
    page.get_by_label("The code your app shows now").fill(app.now())
    page.get_by_role("button", name="Confirm").click()
    codes = page.locator(".recovery code").all_inner_texts()
    assert len(codes) == 10
    assert violations(page) == []
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, "dealer")
    page.wait_for_url("**/sign-in/second")
    assert violations(page) == []
    page.fill("[name=code]", codes[0])
    page.locator("form.door button").click()
    page.wait_for_url("**/lobby")


def test_a_passkey_is_made_and_signs_in(person: Person, named: Served) -> None:
    page = person(at=named, alone=True)
    tools = page.context.new_cdp_session(page)
    tools.send("WebAuthn.enable")
    key = tools.send("WebAuthn.addVirtualAuthenticator", {"options": KEY})["authenticatorId"]
    come_in(page, named, "auditor")
    page.goto("/second-factor")
    page.get_by_label("What you call it").fill("blue key")
    page.locator("form", has_text="What you call it").get_by_label("Your password").fill(PASSWORD)
    page.get_by_role("button", name="Add a passkey").click()
    page.get_by_role("button", name="Make the passkey").click()
    page.locator(".recovery").wait_for()
    assert len(tools.send("WebAuthn.getCredentials", {"authenticatorId": key})["credentials"]) == 1
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, "auditor")
    page.wait_for_url("**/sign-in/second")
    assert violations(page) == []
    tools.send("WebAuthn.setUserVerified", {"authenticatorId": key, "isUserVerified": True})
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url("**/audit")
    page.goto("/second-factor")
    page.locator("main", has_text="last used").wait_for()
    assert violations(page) == []
    # Without the key the page says so and takes a code all the same.
    page.get_by_role("button", name="Sign out").click()
    sign_in(page, "auditor")
    tools.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": key})
    page.locator("[name=code]").fill("000000")
    page.get_by_role("button", name="Sign in").click()
    page.locator(".problem", has_text="This code is wrong").wait_for()


def test_it_is_said_in_chinese(person: Person, named: Served) -> None:
    page = person("player", at=named, locale="zh-CN")
    page.goto("/second-factor")
    words = page.locator("main").inner_text()
    page.get_by_role("button", name="设置应用").click()
    page.locator(".qr-code svg").wait_for()
    words += page.locator("main").inner_text().replace(page.locator("#secret").inner_text(), "")
    assert not re.findall(r"[A-Za-z]{3,}", words)
