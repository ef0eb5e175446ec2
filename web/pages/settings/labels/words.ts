// Names of sections and of settings that pages change. One that has none here shows its key.
import { pageWords } from "../../../kit/page-words.ts";

export const t = pageWords("settings", "labels", {
  sections: {
    site: "Site",
    accounts: "Registration and accounts",
    sign_in: "Sign-in",
    oauth: "Single sign-on",
    sessions: "Sessions",
    notices: "Notices",
    mail: "E-mail",
    retention: "Usage log",
    media: "Stored videos and images",
    limits: "Limits",
    text: "Text",
    images: "Images",
    tasks: "Background tasks",
    distribution: "Routing",
    timeouts: "Timeouts",
  },
  fields: {
    "destinations.name": "Name",
    "destinations.type": "Type",
    "destinations.hook_url": "Webhook URL",
    "destinations.secret": "Signing secret",
    "destinations.to": "Recipients",
    "destinations.kinds": "Events",
    "quiet.from": "From",
    "quiet.to": "Until",
    "quiet.zone": "Time zone",
    "quiet.except": "Always send",
    "smtp.host": "Host",
    "smtp.port": "Port",
    "smtp.tls": "TLS",
    "smtp.ca_file": "Certificate file",
    "smtp.user": "User",
    "smtp.password": "Password",
    "smtp.from": "Sender",
    "providers.name": "Name",
    "providers.type": "Type",
    "providers.client_id": "Client ID",
    "providers.client_secret": "Client secret",
    "providers.client_auth": "Client authentication",
    "providers.issuer": "Issuer",
    "providers.endpoints": "Endpoints",
    "providers.scopes": "Scopes",
    "providers.allow_private": "Allow private addresses",
    "providers.groups_claim": "Groups claim",
    "providers.memberships": "Memberships by group",
    "providers.registers": "Groups may register",
    "providers.prune": "Memberships end with the group",
    "providers.keys_need_sign_in_days": "Keys need a sign-in (days)",
    "endpoints.authorize": "Authorize",
    "endpoints.token": "Token",
    "endpoints.user": "User",
    "memberships.group": "Group",
    "memberships.role": "Role",
    "memberships.organisation": "Organisation",
    "memberships.as": "Seat",
    "memberships.project": "Project",
  },
  labels: {
    "site.name": "Name",
    "site.notice": "Text on the sign-in page",
    "site.default_language": "Default language",
    "site.shows_models": "Public model catalogue",
    "site.shows_status": "Public status",
    "accounts.registration": "Registration",
    "accounts.starting_credit_micros": "Starting credit (micros)",
    "accounts.starting_credit_after": "Starting credit is given",
    "accounts.organisations": "Who can create organisations",
    "accounts.keys_max": "Keys per account",
    "accounts.email": "E-mail addresses",
    "accounts.email_domains": "Allowed e-mail domains",
    "sign_in.admin_second_factor": "Two-factor authentication of admins",
    "sign_in.link": "Sign-in links by e-mail",
    "sessions.idle_seconds": "Sign out when idle (seconds)",
    "sessions.absolute_seconds": "Maximum session length (seconds)",
    "oauth.landing": "Page after signing in",
    "oauth.providers": "Providers",
    "notices.destinations": "Destinations",
    "notices.quiet": "Quiet hours",
    "notices.low_balance_micros": "Low balance (micros)",
    "notices.low_key_percent": "Key near its limit (percent)",
    "notices.channel_out_minutes": "Channel down for (minutes)",
    "notices.webhook_tries": "Webhook failing after (attempts)",
    "notices.disk_free_percent": "Disk nearly full (percent free)",
    "notices.check_seconds": "Check interval (seconds)",
    "mail.smtp": "Mail server",
    "mail.footer": "Footer",
    "mail.hourly_max": "E-mails per hour",
    "retention.log_days": "Keep requests (days)",
    "media.retention_days": "Keep results (days)",
    "media.bytes_max": "Total size (bytes)",
    "media.file_bytes_max": "Largest file (bytes)",
    "media.url_ttl_minutes": "Lifetime of links (minutes)",
    "media.fetch_timeout_ms": "Download timeout (ms)",
    "limits.memory_bytes_max": "Memory (bytes)",
    "limits.streams_max": "Concurrent responses",
    "limits.budget_header": "Report the remaining budget in a header",
    "text.output_tokens_max_default": "Default output limit (tokens)",
    "text.image_tokens_max": "Tokens per image",
    "text.second_look": "Count prompts before a refusal",
    "text.read_on_ms": "Keep reading after a disconnect (ms)",
    "text.read_on_bytes_max": "Keep reading up to (bytes)",
    "text.read_on_max": "Concurrent reads after disconnects",
    "text.reply_model": "Model name in replies",
    "text.repeat_ms": "Keep repeatable answers (ms)",
    "text.repeat_bytes_max": "Largest repeatable answer (bytes)",
    "text.repeat_account_bytes_max": "Repeatable answers per account (bytes)",
    "text.repeat_read_on_ms": "Finish repeatable answers (ms)",
    "text.response_sockets": "Responses over WebSocket",
    "images.call_ms": "Image timeout (ms)",
    "images.reply_bytes_max": "Largest reply (bytes)",
    "images.waiting_max": "Queued tasks",
    "images.waiting_bytes_max": "Bodies in memory (bytes)",
    "images.runs_per_channel": "Tasks per channel",
    "tasks.deadline_minutes": "Deadline (minutes)",
    "tasks.poll_first_ms": "First poll after (ms)",
    "tasks.poll_most_ms": "Longest poll interval (ms)",
    "tasks.polls_per_channel": "Polls per channel",
    "tasks.call_ms": "Poll timeout (ms)",
    "distribution.attempts_max": "Attempts per request",
    "distribution.failures_to_eject": "Failures until a channel is ejected",
    "distribution.ejection_ms": "First ejection (ms)",
    "distribution.ejection_ms_max": "Longest ejection (ms)",
    "distribution.wait_ms": "Wait for a resting channel (ms)",
    "distribution.unknown_model_status": "Status of unknown models",
    "distribution.retry_budget_percent": "Retry budget (percent)",
    "distribution.affinity": "Cache affinity",
    "timeouts.first_byte_ms": "Response without streaming (ms)",
    "timeouts.stream_first_byte_ms": "First content of a stream (ms)",
    "timeouts.stall_ms": "Idle response (ms)",
    "timeouts.total_ms": "Whole request (ms)",
    "timeouts.write_stall_ms": "Client not reading (ms)",
    "timeouts.keep_alive_ms": "Keep-alive of silent streams (ms)",
  },
});

/** Section of the setting, in the words of the page. */
export function sectionTitle(section: string): string {
  const words: Readonly<Record<string, string>> = t().sections;
  return words[section] ?? section;
}

/** Name of the setting, or null where it has but its key. */
export function labelOf(name: string): string | null {
  const words: Readonly<Record<string, string>> = t().labels;
  return words[name] ?? null;
}

/** Name of a field within a setting, by its place in it; numbers of a list do not count. */
export function fieldLabel(place: string): string {
  const words: Readonly<Record<string, string>> = t().fields;
  const names = place.split(".").filter((part) => !/^\d+$/.test(part));
  return words[names.slice(-2).join(".")] ?? names.at(-1) ?? place;
}

/** Sections that have words, in the order in which a page has them. */
export function sectionOrder(): readonly string[] {
  return Object.keys(t().sections);
}
