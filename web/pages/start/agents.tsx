// Agents, each with the command that writes its settings.
import { shellWord } from "../../core/curl.ts";
import { Code } from "../../kit/code.tsx";
import { t } from "./words.ts";

interface Agent {
  /** Argument of `sluice setup`. */
  name: string;
  title: string;
  /** Its settings name the model that it asks for. */
  needsModel?: true;
}

const agents: readonly Agent[] = [
  { name: "claude-code", title: "Claude Code" },
  { name: "codex", title: "Codex" },
  { name: "gemini-cli", title: "Gemini CLI" },
  { name: "opencode", title: "opencode", needsModel: true },
  { name: "qwen-code", title: "Qwen Code", needsModel: true },
  { name: "cline", title: "Cline", needsModel: true },
];

export function AgentSetups({ secret, model }: { secret: string; model: string }) {
  const words = t();
  return (
    <section class="stack" aria-label={words.agents}>
      <h3>{words.agents}</h3>
      <p class="quiet reading">{words.agentsText}</p>
      <Code text={`export SLUICE_KEY=${shellWord(secret)}`} wraps />
      <dl class="agents">
        {agents.map((agent) => (
          <div key={agent.name}>
            <dt>{agent.title}</dt>
            <dd>
              <Code text={commandOf(agent, model)} wraps />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function commandOf({ name, needsModel }: Agent, model: string): string {
  const command = `sluice setup ${name} --url ${shellWord(location.origin)}`;
  return needsModel ? `${command} --model ${shellWord(model)}` : command;
}
