// Discord's wire: the token's request must be a form, a scope must be asked for, ids are snowflakes
// as text.
import { clientId, clientSecret } from "./code-book.ts";
import { StandIn } from "./stand-in.ts";

export interface DiscordUser {
  id: string;
  username: string;
  global_name: string | null;
}

export class Discord extends StandIn<DiscordUser> {
  constructor() {
    const paths = {
      authorize: "/oauth2/authorize",
      token: "/api/oauth2/token",
      user: "/api/users/@me",
    };
    super(paths, { id: "80351110224678912", username: "nelly", global_name: "Nelly" });
  }

  protected override refuseBrowser(query: URLSearchParams): Record<string, string> | null {
    if (query.get("response_type") !== "code") return { error: "unsupported_response_type" };
    const scopes = (query.get("scope") ?? "").split(" ");
    return scopes.includes("identify") ? null : { error: "invalid_scope" };
  }

  protected override exchange(request: Request, form: URLSearchParams): Response {
    const type = request.headers.get("content-type") ?? "";
    if (!type.startsWith("application/x-www-form-urlencoded")) return refuse("invalid_request");
    const isClient = form.get("client_id") === clientId;
    if (!isClient || form.get("client_secret") !== clientSecret)
      return refuse("invalid_client", 401);
    if (form.get("grant_type") !== "authorization_code") return refuse("unsupported_grant_type");
    const token = this.book.redeem(form);
    if (token === null) return refuse("invalid_grant");
    return Response.json({
      token_type: "Bearer",
      access_token: token,
      expires_in: 604_800,
      refresh_token: "refresh",
      scope: "identify",
    });
  }

  protected override show(request: Request): Response {
    const user = this.book.userOf(request);
    if (!user) return Response.json({ message: "401: Unauthorized", code: 0 }, { status: 401 });
    const { id, username, global_name } = user;
    return Response.json({ id, username, avatar: null, discriminator: "0", global_name, flags: 0 });
  }
}

function refuse(error: string, status = 400): Response {
  return Response.json({ error, error_description: `Refused: ${error}` }, { status });
}
