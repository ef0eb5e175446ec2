// Letters in Chinese.
import type { MailWords } from "./wording.ts";

const notYou = "如果不是你本人操作，请忽略此邮件：没有这封邮件，任何人都无法继续。";
const wasNotYou =
  "如果不是你本人操作，请立即修改密码并检查已登录的会话。如果已无法登录，请联系网关管理员。";

const seats = { owner: "所有者", admin: "管理员", member: "成员", viewer: "查看者" };

export const chinese: MailWords = {
  verify: ({ name, url }, site) => ({
    subject: `确认你在 ${site} 的邮箱`,
    before: [`${site} 的账户 ${name} 填写了此邮箱。请在 24 小时内打开以下链接，确认邮箱属于你：`],
    url,
    after: ["如果你不知道这个账户，请忽略此邮件。"],
  }),
  reset: ({ name, url }, site) => ({
    subject: `重置 ${site} 的密码`,
    before: [
      `有人申请重置 ${site} 账户 ${name} 的密码。请在 30 分钟内打开以下链接设置新密码，` +
        "链接仅可使用一次：",
    ],
    url,
    after: [notYou],
  }),
  sign_in: ({ name, url, code }, site) => ({
    subject: `登录 ${site}`,
    before: [
      `请在 30 分钟内，用申请登录的那个浏览器打开以下链接，以 ${name} 登录 ${site}。` +
        "链接仅可使用一次：",
    ],
    url,
    code,
    after: ["在其他浏览器中打开时，需要输入上面的数字。请勿告诉任何人。", notYou],
  }),
  password_changed: ({ name }, site) => ({
    subject: `${site} 的密码已修改`,
    before: [`${site} 的账户 ${name} 已设置新密码，所有会话均已退出。`],
    after: [wasNotYou],
  }),
  address_changed: ({ name, address }, site) => ({
    subject: `${site} 的邮箱已修改`,
    before: [
      address === ""
        ? `${site} 的账户 ${name} 已移除邮箱。`
        : `${site} 的账户 ${name} 的邮箱已由此邮箱改为 ${address}。`,
    ],
    after: [wasNotYou],
  }),
  new_sign_in: ({ name, ip, browser }, site) => ({
    subject: `新的浏览器登录了 ${site}`,
    before: [
      `一个从未使用过的浏览器以 ${name} 登录了 ${site}。`,
      `浏览器：${browser ?? "未知"}`,
      `地址：${ip}`,
    ],
    after: [wasNotYou],
  }),
  invitation: ({ url }, site) => ({
    subject: `${site} 的邀请`,
    before: [`你受邀在 ${site} 注册账户，请打开以下链接：`],
    url,
  }),
  organisation_invitation: ({ url, by, organisation, role }, site) => ({
    subject: `${site} 的组织 ${organisation} 邀请你加入`,
    before: [
      `${by} 邀请你以${seats[role]}的身份加入 ${site} 的组织 ${organisation}。` +
        "请打开以下链接，登录你的账户后加入：",
    ],
    url,
    after: ["如果你不知道这件事，请忽略此邮件。"],
  }),
  low_balance: ({ name, left }, site) => ({
    subject: `${site} 余额还剩 ${left}`,
    before: [`${site} 的账户 ${name} 余额还剩 ${left}，低于你设置的提醒值。`],
  }),
  budget_mark: ({ account, budget, whose, percent, spent, limit }, site) => ({
    subject: `${site} 的预算 ${budget} 已用 ${percent}%`,
    before: [
      `${site} 的账户 ${account} 的预算 ${budget}${whose === null ? "" : `（${whose}）`}已达 ` +
        `${percent}%：已使用 ${spent}，总额 ${limit}。`,
    ],
  }),
  test: ({ by }, site) => ({
    subject: `${site} 的测试邮件`,
    before: [`${by} 发送了此邮件，以确认 ${site} 的邮件能够送达。`],
  }),
};
