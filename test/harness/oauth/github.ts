// GitHub's wire: tokens come as a form unless JSON is asked for, refusals come with status 200, ids
// are numbers, and nobody is served who does not name a user agent.
import { clientId, clientSecret } from "./code-book.ts";
import { StandIn } from "./stand-in.ts";

export interface GithubUser {
  id: number;
  login: string;
  name: string | null;
  email: string | null;
}

const docs = "https://docs.github.com/apps/troubleshooting-authorization-request-errors/";

export class Github extends StandIn<GithubUser> {
  constructor() {
    const paths = {
      authorize: "/login/oauth/authorize",
      token: "/login/oauth/access_token",
      user: "/user",
    };
    super(paths, { id: 583_231, login: "octocat", name: "The Octocat", email: null });
  }

  protected override exchange(request: Request, form: URLSearchParams): Response {
    const isClient = form.get("client_id") === clientId;
    if (!isClient || form.get("client_secret") !== clientSecret) {
      return answer(request, {
        error: "incorrect_client_credentials",
        error_description: "The client_id and/or client_secret passed are incorrect.",
        error_uri: `${docs}#incorrect-client-credentials`,
      });
    }
    const token = this.book.redeem(form);
    if (token !== null)
      return answer(request, { access_token: token, scope: "", token_type: "bearer" });
    return answer(request, {
      error: "bad_verification_code",
      error_description: "The code passed is incorrect or expired.",
      error_uri: `${docs}#bad-verification-code`,
    });
  }

  protected override show(request: Request): Response {
    if (!request.headers.get("user-agent")) {
      return new Response("Request forbidden by administrative rules.", { status: 403 });
    }
    const user = this.book.userOf(request);
    if (!user) return Response.json({ message: "Bad credentials" }, { status: 401 });
    const { id, login, name, email } = user;
    return Response.json({ login, id, node_id: "MDQ6VXNlcjE=", type: "User", name, email });
  }
}

function answer(request: Request, fields: Record<string, string>): Response {
  if ((request.headers.get("accept") ?? "").includes("application/json")) {
    return Response.json(fields);
  }
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  return new Response(new URLSearchParams(fields).toString(), { headers });
}
