// One model, as a page: what it takes, what it costs, who serves it, how it has been doing, and how
// it is called.
import type { ModelView } from "../../../src/admin/contract.ts";
import { pathOf, useAnswer } from "../../core/control.ts";
import { count } from "../../core/format.ts";
import { addressOf } from "../../core/place.ts";
import { curl } from "../../core/curl.ts";
import { may, self } from "../../core/session.ts";
import { Badge, Dot } from "../../kit/badge.tsx";
import { LinkButton } from "../../kit/button.tsx";
import { Code, CurlButton, Id } from "../../kit/code.tsx";
import { Empty, Skeleton } from "../../kit/empty.tsx";
import { Failure } from "../../kit/failure.tsx";
import { Card, Facts } from "../../kit/figures.tsx";
import { Snippets } from "../../kit/snippets.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { Doing } from "./doing.tsx";
import { ModelNote } from "./note.tsx";
import { PriceFacts } from "./price.tsx";
import { requestsOf, Serving } from "./serving.tsx";
import { t } from "./words.ts";

export type ModelList = "GET /api/site/models" | "GET /api/model";

export function tryAddress({ id, kind }: ModelView): string {
  const search = new URLSearchParams({ ...(kind === "text" ? {} : { kind }), model: id });
  return `${addressOf("playground")}?${search.toString()}`;
}

/** Models that the playground has a place for. */
export function canTry({ endpoints, reachable }: ModelView): boolean {
  const known = ["chat", "image", "video"];
  return self.value !== null && reachable && endpoints.some((one) => known.includes(one));
}

/** The most that a search takes. */
const lettersMost = 64;
const namesMost = 100;

/** Found by its name: names that begin with it come along. */
export function ModelPage({ at, id }: { at: ModelList; id: string }) {
  const words = t();
  const ask = { query: { q: id.slice(0, lettersMost), page_size: namesMost } };
  const { data, error, reload } = useAnswer(at, ask);
  const view = data?.items.find((one) => one.id === id);
  const tools = view && canTry(view) && (
    <LinkButton kind="main" icon="playground" href={tryAddress(view)}>
      {words.try}
    </LinkButton>
  );
  return (
    <Screen title={view?.name ?? titleOf("models")} tools={tools}>
      <div class="row">
        <LinkButton kind="plain" isSmall icon="left" href={addressOf("models")}>
          {titleOf("models")}
        </LinkButton>
        <span class="push">
          <CurlButton path={pathOf(at, ask)} />
        </span>
      </div>
      {error && !data && <Failure error={error} onRetry={reload} />}
      {!error && !data && <Skeleton lines={6} />}
      {data && !view && <Empty title={words.missing} text={words.missingText} />}
      {view && <Shown view={view} />}
    </Screen>
  );
}

function Shown({ view }: { view: ModelView }) {
  const words = t();
  return (
    <>
      <Doing model={view.id} />
      {self.value !== null && <Serving view={view} />}
      <div class="model-cards">
        <Card title={words.about}>
          <ModelFacts view={view} />
          {self.value !== null && <ModelNote model={view.id} />}
          {may("usage.read") && (
            <div class="row">
              <LinkButton icon="requests" href={requestsOf(view.id)}>
                {words.requestsOf}
              </LinkButton>
            </div>
          )}
        </Card>
        <Card title={words.priceFor(view.group, String(view.multiplier))}>
          {view.price ? <PriceFacts price={view.price} /> : <p class="quiet">{words.free}</p>}
        </Card>
      </div>
      <Card title={words.snippet}>
        <HowToCall view={view} />
      </Card>
    </>
  );
}

function ModelFacts({ view }: { view: ModelView }) {
  const words = t();
  const { input_tokens_max: input, output_tokens_max: output } = view;
  return (
    <Facts
      pairs={[
        [words.id, <Id text={view.id} />],
        [words.kind, words.kinds[view.kind]],
        [words.state, <Reach view={view} />],
        [
          words.formats,
          <span class="row wraps">
            {view.endpoints.map((one) => (
              <Badge key={one}>{one}</Badge>
            ))}
          </span>,
        ],
        input > 0 && [words.limits, limitsOf(count(input), output > 0 ? count(output) : null)],
        view.family !== null && [words.family, view.family],
        [words.owner, view.owned_by],
      ]}
    />
  );
}

export function limitsOf(input: string, output: string | null): string {
  return output === null ? t().limit(input) : t().limitBoth(input, output);
}

export function Reach({ view }: { view: ModelView }) {
  return <Dot tone={view.reachable ? "good" : "bad"}>{view.reachable ? t().open : t().closed}</Dot>;
}

function HowToCall({ view }: { view: ModelView }) {
  return (
    <>
      <p class="quiet">{t().snippetNote}</p>
      {view.endpoints.includes("chat") ? (
        <Snippets secret={null} model={view.id} />
      ) : (
        <Code text={curlFor(view)} />
      )}
    </>
  );
}

const routes: Readonly<Record<string, string>> = {
  embeddings: "/v1/embeddings",
  image: "/v1/images/generations",
  video: "/v1/videos",
};

function curlFor({ id, endpoints }: ModelView): string {
  const [endpoint = ""] = endpoints;
  const path = routes[endpoint] ?? "/v1/images/generations";
  const body = { model: id, [endpoint === "embeddings" ? "input" : "prompt"]: "A fox in the snow" };
  return curl({ url: location.origin + path, bearer: { variable: "SLUICE_KEY" }, body });
}
