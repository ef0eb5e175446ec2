// Meaning of a refusal to the person who meets it, by its code. The gateway's own message is for
// programs; it is shown where a code has no words here, or where it says more than they do.
import type { ApiError } from "./api.ts";
import { words } from "./words.ts";

const t = words(
  {
    passkey_cancelled: "The passkey was not used. Try again, or choose another way.",
    second_factor_required: "Your account has to set up a second factor first: see Account.",
    provider_refused: "The other site did not confirm who you are.",
    invalid_state: "This was begun elsewhere or took too long. Begin again.",
    offline: "The gateway does not answer. Check your connection; it is tried again by itself.",
    bad_answer:
      "The gateway's answer could not be read. Something between it and you may be at fault.",
    invalid_api_key: "Your session has ended. Sign in again.",
    invalid_credentials: "User name or password is wrong.",
    permission_denied: "Your account may not do this.",
    not_found: "This is not there, or not any more.",
    conflict: "This is in use already, or was changed by someone else meanwhile.",
    rate_limit_exceeded: "Too many tries. Wait a minute, then try again.",
    overloaded: "The gateway is too busy right now. Try again in a moment.",
    insufficient_quota: "There is not enough money left for this.",
    insufficient_user_quota: "There is not enough money in the account for this.",
    task_not_finished: "The task still runs, and its vendor does not stop it.",
    stopped: "It was stopped.",
    request_body_too_large: "The file is larger than may be sent.",
    server_error: "The gateway failed at this. Its log has the request id.",
    values: {
      name: "1 to 64 letters or digits, spaces within, or . _ - ' ( ) & + # @",
      username: "1 to 64 of A to Z, a to z, 0 to 9 or . _ - @",
    },
  },
  {
    passkey_cancelled: "未使用通行密钥。请重试，或换一种方式。",
    second_factor_required: "当前账户须先设置第二因素，请前往“账户”。",
    provider_refused: "对方站点未能确认你的身份。",
    invalid_state: "登录流程已过期或不是从这里开始的，请重新开始。",
    offline: "网关没有响应。请检查网络，系统会自动重试。",
    bad_answer: "无法读取网关的响应，可能是中间的代理出了问题。",
    invalid_api_key: "登录已过期，请重新登录。",
    invalid_credentials: "用户名或密码错误。",
    permission_denied: "当前账户无权执行此操作。",
    not_found: "该内容不存在，或已被删除。",
    conflict: "已被占用，或刚被他人修改。",
    rate_limit_exceeded: "尝试次数过多，请稍等一分钟再试。",
    overloaded: "网关繁忙，请稍后再试。",
    insufficient_quota: "余额不足。",
    insufficient_user_quota: "账户余额不足。",
    task_not_finished: "任务仍在运行，上游不支持中途停止。",
    stopped: "已停止。",
    request_body_too_large: "文件超过允许的大小。",
    server_error: "网关内部出错，可凭请求 ID 查日志。",
    values: {
      name: "1 至 64 个文字或数字，中间可有空格，也可用 . _ - ' ( ) & + # @",
      username: "1 至 64 个英文字母、数字或 . _ - @",
    },
  },
);

/** The gateway's words for a code that has many causes, where it tells none of them. */
const unspecific: Readonly<Record<string, string>> = {
  permission_denied: "This account may not do that.",
};

export function refusalText({ code, message, param }: ApiError): string {
  const { values, ...byCode } = t();
  const known: Record<string, string> = byCode;
  const spelling: Record<string, string> = values;
  if (code === "invalid_request" && param !== null && spelling[param]) return spelling[param];
  const plain = code === null ? undefined : unspecific[code];
  if (plain !== undefined && message !== "" && message !== plain) return message;
  const text = code === null ? undefined : known[code];
  return text ?? (message === "" ? (code ?? "") : message);
}
