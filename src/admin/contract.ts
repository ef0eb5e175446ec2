// What goes over the wire of the control plane, in its words. Types only: the console imports them.
// They are those of the schemas that each entity keeps in a contract of its own.
export type { ApiKeyInput, ChannelInput, GroupInput, PriceInput } from "../config/entities.ts";
export type { Role } from "../identity/caller.ts";
export type { Status } from "./contract/basics.ts";
export type * from "./contract/reply.ts";
export type * from "./access-token/contract.ts";
export type * from "./announcement/contract.ts";
export type * from "./audit/contract.ts";
export type * from "./billing/contract.ts";
export type * from "./channel/contract.ts";
export type * from "./group/contract.ts";
export type * from "./import/contract.ts";
export type * from "./invitation/contract.ts";
export type * from "./key/contract.ts";
export type * from "./log/contract.ts";
export type * from "./model-note/contract.ts";
export type * from "./oauth/contract.ts";
export type * from "./price/contract.ts";
export type * from "./redemption/contract.ts";
export type * from "./second-factor/contract.ts";
export type * from "./session/contract.ts";
export type * from "./status/contract.ts";
export type * from "./task/contract.ts";
export type * from "./usage/contract.ts";
export type * from "./user/contract.ts";
export type * from "./webhook/contract.ts";
