"""The Chinese of the pages about second factors."""

from __future__ import annotations

from typing import Final

CHINESE: Final[dict[str, str]] = {
    "Second factor": "双重验证",
    "Your second factor": "你的双重验证",
    "Besides your password you show something only you have: a code of an app, or a passkey.": (
        "除密码外，还须出示只有你持有的凭证：验证器应用的验证码，或通行密钥。"
    ),
    "This house asks its staff for a second factor. Set one up to go on.": (
        "本场要求员工使用双重验证。请先设置，再继续。"
    ),
    "This house uses no second factor.": "本场不使用双重验证。",
    "Recovery codes": "恢复码",
    "Each lets you in once if you lose your second factor. Write them down now: they are not kept and cannot"
    " be shown again.": "遗失验证凭证时，每个恢复码可登录一次。请立即抄写：系统不保存，之后无法再显示。",
    "I have them": "我已抄好",
    "Your app": "你的应用",
    "Scan this with your app": "用验证器应用扫描",
    "QR code with the secret below": "二维码，内容为下方密钥",
    "Or type it in:": "或手动输入：",
    "Open it in an app on this device": "在本设备的应用中打开",
    "The code your app shows now": "应用当前显示的验证码",
    "Confirm": "确认",
    "A new passkey": "新的通行密钥",
    "Make the passkey": "创建通行密钥",
    "No passkey was made. Try again.": "未能创建通行密钥，请重试。",
    "Passkeys need scripts in the browser.": "通行密钥需要浏览器启用脚本。",
    "Authenticator app": "验证器应用",
    "Set up. Its code is asked for when you sign in.": "已设置。登录时需输入其验证码。",
    "Remove the app": "移除应用",
    "Set an app up": "设置应用",
    "Passkeys": "通行密钥",
    "Passkey": "通行密钥",
    "made {when}": "{when} 创建",
    "last used {when}": "{when} 最后使用",
    "Remove the passkey {title}": "移除通行密钥 {title}",
    "Remove": "移除",
    "What you call it": "名称",
    "Add a passkey": "添加通行密钥",
    "Passkeys need the house's own name and HTTPS; at this address there are none.": (
        "通行密钥需要域名和 HTTPS；当前地址不能使用。"
    ),
    "{left} left. New ones end those before.": "还剩 {left} 个。生成新的恢复码后，原有的作废。",
    "Make new recovery codes": "生成新的恢复码",
    "Your password, once more": "再次输入密码",
    "Use your passkey, or type a code.": "请使用通行密钥，或输入验证码。",
    "Use your passkey": "使用通行密钥",
    "The passkey was not used. Try again, or type a code.": "未能使用通行密钥。请重试，或输入验证码。",
    "Code of your app, or a recovery code": "应用的验证码，或恢复码",
    "A recovery code": "恢复码",
    "Lost it? Use a recovery code, or ask an administrator: two people can take your second factor away.": (
        "遗失了？请使用恢复码，或联系管理员：经两人同意可取消你的双重验证。"
    ),
    "Take it away": "取消",
    "Why": "原因",
    "Ask for it": "提出申请",
    "Why the second factor of {name} is taken away": "取消 {name} 双重验证的原因",
    "Take the second factor of {name} away": "取消 {name} 的双重验证",
    "{by} asks to take the second factor of {name} ({role}) away, {when}: {reason}": (
        "{by} 申请取消 {name}（{role}）的双重验证，{when}：{reason}"
    ),
    "The second factor of {name} ({role}) was taken away by {by} and {second}, {when}: {reason}": (
        "{by} 与 {second} 取消了 {name}（{role}）的双重验证，{when}：{reason}"
    ),
    "The second factor of {name} ({role}) was taken away at the machine by {by}, {when}: {reason}": (
        "{by} 在服务器上取消了 {name}（{role}）的双重验证，{when}：{reason}"
    ),
}
