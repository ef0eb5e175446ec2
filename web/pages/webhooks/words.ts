// Words of the page of webhooks.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords(
  {
    delivery: "Delivery",
    next: "Next attempt",
    took: "Duration",
    noAnswer: "No answer",
    delivered: "Delivered",
    givenUp: "Failed",
    due: "Pending",
    triedAgain: "Retrying",
    body: "Body",
    replay: "Resend",
    wasReplayed: "It is sent again now",
    test: "Send a test",
    testTitle: "Send a test",
    secret: "Signing secret",
    secretText:
      "Every callback carries a signature made with this secret. Whoever knows it can write " +
      "calls that your receiver takes for ours.",
    show: "Show secret",
    overlaps: "For a day, calls also carry the signature of the secret before.",
    rotate: "New secret",
    rotateTitle: "Make a new secret?",
    rotateEffect:
      "Calls are signed with the new one at once. For a day they also carry a signature of the " +
      "one before; change your receiver in that time.",
    wasRotated: "Calls are signed with a new secret",
    empty: "No callbacks yet",
    emptyText:
      "A video or image that is asked for with a webhook_url tells that address when it has ended.",
    hints: {
      url: "Signed with your secret like every callback, and sent once.",
    },
  },
  {
    delivery: "回调",
    next: "下次尝试",
    took: "耗时",
    noAnswer: "无响应",
    delivered: "已送达",
    givenUp: "已放弃",
    due: "待发送",
    triedAgain: "将重试",
    body: "请求体",
    replay: "重新发送",
    wasReplayed: "正在重新发送",
    test: "发送测试",
    testTitle: "发送测试回调",
    secret: "签名密钥",
    secretText: "每次回调都带有用此密钥生成的签名。知道它的人可以伪造回调，请妥善保管。",
    show: "显示密钥",
    overlaps: "一天之内，回调会同时带有旧密钥的签名。",
    rotate: "更换密钥",
    rotateTitle: "更换签名密钥？",
    rotateEffect: "回调立即改用新密钥签名；一天之内仍附带旧密钥的签名，请在此期间更新接收端。",
    wasRotated: "已更换签名密钥",
    empty: "还没有回调",
    emptyText: "请求视频或图片时带上 webhook_url，任务结束后会通知该地址。",
    hints: {
      url: "与正式回调一样用你的密钥签名，只发送一次。",
    },
  },
);
