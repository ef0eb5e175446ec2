// Stand-in for missing data: the reason, its code and request id, and a way to try again.
import { useEffect } from "preact/hooks";
import { ApiError } from "../core/api.ts";
import { hasTrail, knowsCauses, refusalText } from "../core/refusals.ts";
import { Button, CopyButton } from "./button.tsx";
import { t } from "./words.ts";

/** The overview is without the words of the causes until it meets one. */
function useCauses(): void {
  useEffect(() => {
    if (!knowsCauses()) import("./page-words.ts").catch(() => {});
  }, []);
}

export function Failure({ error, onRetry }: { error: ApiError; onRetry?: () => void }) {
  useCauses();
  return (
    <div class="failure" role="alert">
      <h3>{t().failed}</h3>
      <p class="quiet wrap">{refusalText(error)}</p>
      <Trail error={error} />
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          {t().tryAgain}
        </Button>
      )}
    </div>
  );
}

/** Stand-in for an answer where a file of the console could not be fetched. */
export function awayError(): ApiError {
  return new ApiError({ message: "", code: "offline", param: null }, null);
}

/** Refusal of something that was tried, beside its button; a marked field has its words already. */
export function Refusal({ error }: { error: ApiError | null }) {
  if (error === null) return null;
  return (
    <div class="notice bad" role="alert">
      <span class="wrap told">{refusalText(error)}</span>
      <span class="wrap marked">{t().seeField}</span>
      {hasTrail(error) && <Trail error={error} />}
    </div>
  );
}

function Trail({ error: { code, requestId } }: { error: ApiError }) {
  return (
    <span class="row wraps mono faint">
      {code !== null && <span title={t().code}>{code}</span>}
      {requestId !== null && (
        <span class="row">
          <span class="wrap" title={t().requestId}>
            {requestId}
          </span>
          <CopyButton text={requestId} label={`${t().copy}: ${t().requestId}`} />
        </span>
      )}
    </span>
  );
}
