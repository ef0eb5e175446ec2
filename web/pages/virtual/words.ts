// Words of the page of virtual models.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords(
  {
    make: "New virtual model",
    prices: { served: "That of the member that serves", own: "Its own" },
    reply_model: "Model in replies",
    replies: { asked: "The name that was asked for", served: "The model that served" },
    byGateway: "As the gateway does",
    byGroup: "As the group does",
    hidden: "Not in lists of models",
    shownInLists: "In lists of models",
    everyGroup: "Every group",
    unserved: "no channel serves it",
    saved: (name: string) => `${name} was saved`,
    removeEffect: "Requests for this name are refused from then on.",
    empty: "No virtual models yet",
    emptyText:
      "One name for several models: each is asked when those before it cannot serve, or by weight.",
    hints: {
      name: "What clients ask for.",
      members:
        "One a line, in their order: model, then weight=90, when=fault,load,context,refused or " +
        "window=200000 where it is needed.",
      groups: "The only ones whose keys may use it. Empty: every group.",
    },
  },
  {
    make: "新建虚拟模型",
    prices: { served: "按实际服务的成员", own: "自有价格" },
    reply_model: "回复中的模型名",
    replies: { asked: "请求的名称", served: "实际服务的模型" },
    byGateway: "跟随网关设置",
    byGroup: "跟随分组",
    hidden: "不在模型列表中显示",
    shownInLists: "在模型列表中显示",
    everyGroup: "所有分组",
    unserved: "没有渠道提供",
    saved: (name: string) => `已保存 ${name}`,
    removeEffect: "此后对该名称的请求会被拒绝。",
    empty: "还没有虚拟模型",
    emptyText: "一个名称对应多个模型：前面的无法服务时依次请求后面的，或按权重分配。",
    hints: {
      name: "客户端请求的名称。",
      members:
        "每行一个，按顺序：模型名，需要时再加 weight=90、when=fault,load,context,refused 或 window=200000。",
      groups: "仅允许这些分组的密钥使用。留空则为所有分组。",
    },
  },
);
