// Members of a JSON text put in and taken out, with all else left as it is: indentation, comments,
// order and numbers as they were written.
import { isObject, type Json } from "../../core/json.ts";
import { readNodes, type Node } from "./json-nodes.ts";
import { PartError, type SettingPath, type TextFormat } from "./parts.ts";

const unit = "  ";

export const jsonFormat: TextFormat = {
  empty: "{}\n",
  read(text) {
    const { value } = readNodes(text);
    if (!isObject(value)) throw new PartError("it must hold an object");
    return value;
  },
  set(text, at, value) {
    return setIn(text, readNodes(text), at, { value, depth: 1 });
  },
  remove(text, at) {
    return removeIn(text, readNodes(text), at);
  },
};

interface Fresh {
  value: Json;
  depth: number;
}

function setIn(text: string, node: Node, [name = "", ...rest]: SettingPath, fresh: Fresh): string {
  const { value, depth } = fresh;
  if (!node.members) throw new PartError(`what holds ${name} must be an object`);
  const member = node.members.findLast((one) => one.name === name);
  if (!member) {
    const whole = rest.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    return insert(text, node, { name, value: whole, depth });
  }
  if (rest.length > 0) return setIn(text, member.value, rest, { value, depth: depth + 1 });
  return text.slice(0, member.value.start) + JSON.stringify(value) + text.slice(member.value.end);
}

/** Behind the last member, in the manner of those that are there. */
function insert(text: string, node: Node, { name, ...fresh }: Fresh & { name: string }): string {
  const { value, depth } = fresh;
  const line = text.includes("\r\n") ? "\r\n" : "\n";
  const last = node.members?.at(-1);
  const inside = text.slice(0, node.end - 1).trimEnd();
  const tail = text.slice(inside.length);
  const key = JSON.stringify(name);
  const indented = last && indentOf(text, last.start);
  if (last && indented === null) {
    const member = `${key}: ${JSON.stringify(value)}`;
    return inside + (last.comma === null ? `, ${member}` : ` ${member},`) + tail;
  }
  const indent = indented ?? unit.repeat(depth);
  const body = JSON.stringify(value, null, unit).replaceAll("\n", line + indent);
  const added = `${line}${indent}${key}: ${body}`;
  if (!last) return `${inside}${added}${line}${unit.repeat(depth - 1)}${tail.trimStart()}`;
  if (last.comma !== null) return `${inside}${added},${tail}`;
  const { end } = last.value;
  return `${text.slice(0, end)},${inside.slice(end)}${added}${tail}`;
}

/** Indentation of what begins its line; null for what stands behind something. */
function indentOf(text: string, start: number): string | null {
  return /\n([ \t]*)$/.exec(text.slice(0, start))?.[1] ?? null;
}

function removeIn(text: string, node: Node, [name = "", ...rest]: SettingPath): string {
  const members = node.members ?? [];
  const index = members.findLastIndex((one) => one.name === name);
  const member = members[index];
  if (!member) return text;
  if (rest.length > 0) return removeIn(text, member.value, rest);
  const start = text.slice(0, member.start).replace(/[ \t]+$/, "").length;
  const end = member.comma === null ? member.value.end : member.comma + 1;
  const isLine = start === 0 || text[start - 1] === "\n";
  const behind = text.slice(end).replace(isLine ? /^[ \t]*\r?\n/ : /^(?!)/, "");
  const before = members[index - 1]?.comma ?? null;
  // A comma that parted it from the last but one would part nothing now.
  const isLastComma = before !== null && member.comma === null;
  const front = isLastComma
    ? text.slice(0, before) + text.slice(before + 1, start)
    : text.slice(0, start);
  return front + behind;
}
