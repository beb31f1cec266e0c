"""The words of the pages in both languages. English is written where it is used; its Chinese stands here.

A text without Chinese is shown in English and found by a test.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from lammer.floor.web.pages import words_deal, words_factor, words_play, words_read

Language = Literal["en", "zh"]

_SHARED: Final[dict[str, str]] = {
    "Banker": "庄",
    "Player": "闲",
    "Tie": "和",
    "Sign in": "登录",
    "Sign out": "退出",
    "Name": "姓名",
    "Password": "密码",
    "New password": "新密码",
    "Lobby": "大厅",
    "Pit": "赌区",
    "Audit": "审计",
    "Rules": "规则",
    "Lab": "实验室",
    "Skip to the content": "跳到正文",
    "English": "English",
    "Chinese": "中文",
    "Choose a password of at least 12 characters, or come in without one this time.": (
        "请选择至少 12 个字符的密码,或者这一次不设密码直接进入。"
    ),
    "Come in": "进入",
    "There is no such page.": "没有这个页面。",
    "Something of ours went wrong.": "系统出现故障。",
    "This form cannot be read.": "无法读取此表单。",
    "This cannot be done here.": "此处不能这样操作。",
    "The house": "全场",
    "Welcome": "欢迎",
    "The link works once.": "此链接只能使用一次。",
    "Baccarat at tables that say which paragraph every cent was paid under.": (
        "百家乐：每一分钱都注明所依据的条款。"
    ),
    "The first time, use the one-time link the house gave you.": "首次登录请使用赌场给你的一次性链接。",
    "This page is not up to date: the house does not answer. It will try again by itself.": (
        "本页未更新:服务器没有回应,将自动重试。"
    ),
    "The tables decide. What was dealt before says nothing about what comes next.": (
        "以桌面为准。以往结果不能预测未来。"
    ),
}

CHINESE: Final = _SHARED | words_play.CHINESE | words_deal.CHINESE | words_read.CHINESE | words_factor.CHINESE


def said(language: Language, text: str, **values: Any) -> str:
    """A text in that language, its places filled.

    >>> said("zh", "Banker"), said("en", "Round {number}", number=7)
    ('庄', 'Round 7')
    """
    found = CHINESE.get(text, text) if language == "zh" else text
    return found.format(**values) if values else found
