// The OAuth 2.0 front of a community forum as linux.do has it: the client is known by a header, ids
// are numbers, and accounts have a trust level and may be inactive. It knows nothing of PKCE.
import { clientId, clientSecret } from "./code-book.ts";
import { StandIn } from "./stand-in.ts";

export interface ForumUser {
  id: number;
  username: string;
  name: string;
  active: boolean;
  trust_level: number;
}

export class Discourse extends StandIn<ForumUser> {
  constructor() {
    const paths = { authorize: "/oauth2/authorize", token: "/oauth2/token", user: "/api/user" };
    super(paths, { id: 124, username: "neo", name: "Neo", active: true, trust_level: 2 });
  }

  protected override exchange(request: Request, form: URLSearchParams): Response {
    const known = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
    if (request.headers.get("authorization") !== known) {
      return Response.json({ error: "invalid_client" }, { status: 401 });
    }
    const token = this.book.redeem(form);
    if (token === null) return Response.json({ error: "invalid_grant" }, { status: 400 });
    return Response.json({ access_token: token, token_type: "bearer", expires_in: 3600 });
  }

  protected override show(request: Request): Response {
    const user = this.book.userOf(request);
    if (!user) return Response.json({ error: "invalid_token" }, { status: 401 });
    return Response.json({
      ...user,
      login: user.username,
      avatar_template: "/letter_avatar_proxy/v4/letter/n/{size}.png",
      silenced: false,
      external_ids: null,
      api_key: "not for the gateway",
    });
  }
}
