// Words of the page of groups.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords(
  {
    make: "New group",
    multiplier: "Multiplier",
    multiplierOf: (value: number) => `× ${value}`,
    people: "People",
    noChannels: "No channel serves this group: its requests are refused.",
    noPeople: "Nobody has it as their own.",
    saved: (name: string) => `${name} was saved`,
    removeEffect:
      "Channels are not served to it any more. It is refused while people or keys are in it, and " +
      "for the group that everything falls back to.",
    empty: "No groups yet",
    emptyText: "A group says which channels its keys reach, at what multiplier and limits.",
    wrongMultiplier: "A number such as 1 or 0.8.",
    hints: {
      name: "Channels, keys and people name it.",
      multiplier: "Every price is multiplied by it; at most six decimals.",
      requests_per_minute: "Of the whole group. Empty: no limit.",
    },
  },
  {
    make: "新建分组",
    multiplier: "倍率",
    multiplierOf: (value: number) => `× ${value}`,
    people: "用户",
    noChannels: "没有渠道服务此分组，其请求会被拒绝。",
    noPeople: "没有用户属于此分组。",
    saved: (name: string) => `已保存 ${name}`,
    removeEffect: "渠道不再服务此分组。仍有用户或密钥使用时，以及对默认分组，会拒绝删除。",
    empty: "还没有分组",
    emptyText: "分组决定密钥可用的渠道、倍率和限速。",
    wrongMultiplier: "请输入数字，例如 1 或 0.8。",
    hints: {
      name: "渠道、密钥和用户按此名称归组。",
      multiplier: "所有价格乘以该倍率，最多六位小数。",
      requests_per_minute: "整个分组合计。留空则不限。",
    },
  },
);
