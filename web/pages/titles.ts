// Titles of all pages, also of those that are not there yet.
import { words } from "../core/words.ts";

const pageTitles = words(
  {
    overview: "Overview",
    requests: "Requests",
    live: "Live",
    playground: "Playground",
    keys: "Keys",
    usage: "Usage",
    media: "Videos and images",
    assets: "Assets",
    models: "Models",
    channels: "Channels",
    virtual: "Virtual models",
    prices: "Prices",
    groups: "Groups",
    people: "People",
    codes: "Invitations and codes",
    ledger: "Ledger",
    webhooks: "Webhooks",
    audit: "Audit trail",
    announcements: "Announcements",
    settings: "Settings",
    nodes: "Nodes",
    status: "Status",
    api: "API",
    start: "First steps",
    account: "Account",
  },
  {
    overview: "概览",
    requests: "请求",
    live: "实时",
    playground: "操练场",
    keys: "密钥",
    usage: "用量",
    media: "视频与图片",
    assets: "素材",
    models: "模型",
    channels: "渠道",
    virtual: "虚拟模型",
    prices: "价格",
    groups: "分组",
    people: "用户",
    codes: "邀请与兑换码",
    ledger: "账本",
    webhooks: "回调",
    audit: "审计",
    announcements: "公告",
    settings: "设置",
    nodes: "节点",
    status: "状态",
    api: "API",
    start: "开始使用",
    account: "账户",
  },
);

export type PageName = keyof ReturnType<typeof pageTitles>;

export function titleOf(name: PageName): string {
  return pageTitles()[name];
}
