// Words on captured contents of requests.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords(
  {
    content: "Content",
    show: "Show content",
    showNote: "Captured and redacted. Reading what somebody else said is put into the audit trail.",
    none: "What was said is kept nowhere unless somebody captures it.",
    request: "Request",
    noAnswer: "Nothing came.",
    sameAnswer: "The client got just what came.",
    cut: "Some of it was too long to be kept.",
    until: (at: string) => `Deleted at ${at}.`,
    capture: "Capture",
    captureTitle: "Capture the next requests",
    captureText:
      "What is said and answered is kept of the next text requests that fit, for 15 minutes at " +
      "most, without credentials, e-mail addresses and card numbers. It is deleted after a day.",
    anyKey: "Any key",
    anyModel: "Any",
    anyChannel: "Any channel",
    kept: "Captured in the last day",
    ofEveryone: "Everyone's",
    takenOf: (taken: number, all: number) => `${taken} of ${all}`,
    remove: "Delete what it kept",
    started: (count: number) =>
      count === 1 ? "The next request is captured" : `The next ${count} requests are captured`,
  },
  {
    content: "内容",
    show: "查看内容",
    showNote: "内容已捕获并脱敏。查看他人的内容会记入审计日志。",
    none: "除非有人主动捕获，请求内容不会保存在任何地方。",
    request: "请求",
    noAnswer: "没有收到任何内容。",
    sameAnswer: "客户端收到的与上游返回的一致。",
    cut: "部分内容过长，未保留。",
    until: (at: string) => `将于 ${at} 删除。`,
    capture: "捕获内容",
    captureTitle: "捕获接下来的请求",
    captureText:
      "在最多 15 分钟内，保存接下来符合条件的文本请求及其响应，并去除凭据、邮箱和银行卡号。一天后自动删除。",
    anyKey: "任意密钥",
    anyModel: "任意",
    anyChannel: "任意渠道",
    kept: "最近一天的捕获",
    ofEveryone: "所有人的请求",
    takenOf: (taken: number, all: number) => `${taken} / ${all}`,
    remove: "删除捕获的内容",
    started: (count: number) => `将捕获接下来的 ${count} 个请求`,
  },
);
