// Words of the page of nodes.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords(
  {
    text: "Processes that serve this gateway together. Each spends what it was lent of accounts.",
    alone: "This gateway has its database to itself.",
    name: "Node",
    states: { live: "Live", leaving: "Leaving", dead: "Ended" },
    here: "answers you",
    started: "Started",
    lease: "Lease until",
    turn: "Last write",
    lent: "Lent",
    none: "–",
    empty: "No nodes",
  },
  {
    text: "共同为此网关服务的进程。每个节点借得账户余额的一部分并从中扣费。",
    alone: "此网关独占数据库。",
    name: "节点",
    states: { live: "在线", leaving: "正在退出", dead: "已结束" },
    here: "当前应答",
    started: "启动时间",
    lease: "租约到期",
    turn: "最近写入",
    lent: "借出额度",
    none: "–",
    empty: "没有节点",
  },
);
