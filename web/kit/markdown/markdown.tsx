// Markdown as elements: of a text by others nothing becomes markup, and of each kind of block and
// span just one element is made.
import { Component, type ComponentChildren, type VNode } from "preact";
import { Code } from "../code.tsx";
import { blocksOf, type Block } from "./blocks.ts";
import { spansOf, type Span } from "./spans.ts";

interface MarkdownOptions {
  text: string;
  /** Level of its first heading. */
  level?: 2 | 3;
  /** Stands behind the last word. */
  end?: ComponentChildren;
}

export function Markdown({ text, level = 3, end = null }: MarkdownOptions) {
  return (
    <div class="markdown">
      {levelled(blocksOf(text), level).map(([block, depth], at) => (
        <Part key={at} block={block} depth={depth} />
      ))}
      {end}
    </div>
  );
}

/** All that it says in one line: blocks one behind the other. */
export function MarkdownLine({ text }: { text: string }) {
  return <>{blocksOf(text).map(lineOf)}</>;
}

function lineOf(block: Block, key: number): ComponentChildren {
  switch (block.kind) {
    case "heading":
    case "paragraph":
      return [inline(block.text.replaceAll("\n", " ")), " "];
    case "code":
      return [<code key={key}>{block.text}</code>, " "];
    case "quote":
      return block.blocks.map(lineOf);
    case "list":
      return block.items.map((item) => ["· ", item.map(lineOf)]);
    case "table":
      return [block.head.join(" · "), " "];
    case "rule":
      return "";
  }
}

/** Headings one below the other without a gap, whatever levels a text begins with or leaves out. */
function levelled(
  blocks: readonly Block[],
  level: number,
): (readonly [block: Block, depth: number])[] {
  const above: number[] = [];
  return blocks.map((block) => {
    if (block.kind !== "heading") return [block, level];
    while ((above.at(-1) ?? 0) >= block.level) above.pop();
    above.push(block.level);
    return [block, Math.min(6, level + above.length - 1)];
  });
}

interface PartOptions {
  block: Block;
  depth: number;
}

/** Drawn anew only when its lines have changed: while an answer comes, that is the last one. */
class Part extends Component<PartOptions> {
  override shouldComponentUpdate({ block, depth }: PartOptions): boolean {
    return block.source !== this.props.block.source || depth !== this.props.depth;
  }

  override render(): VNode {
    return elementOf(this.props.block, this.props.depth);
  }
}

const headings = { 2: "h2", 3: "h3", 4: "h4", 5: "h5", 6: "h6" } as const;

export function elementOf(block: Block, depth: number): VNode {
  const nested = (blocks: readonly Block[]) => levelled(blocks, depth).map(nestedOf);
  switch (block.kind) {
    case "heading": {
      const Heading = headings[Math.min(6, Math.max(2, depth)) as keyof typeof headings];
      return <Heading>{inline(block.text)}</Heading>;
    }
    case "code":
      return (
        <figure class="snippet">
          {block.language !== "" && <figcaption class="faint">{block.language}</figcaption>}
          <Code text={block.text} />
        </figure>
      );
    case "quote":
      return <blockquote>{nested(block.blocks)}</blockquote>;
    case "list": {
      const items = block.items.map((one, at) => <li key={at}>{itemOf(one, nested)}</li>);
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
    case "table":
      return <Grid {...block} />;
    case "rule":
      return <hr />;
    case "paragraph":
      return <p>{inline(block.text)}</p>;
  }
}

function nestedOf([block, depth]: readonly [Block, number], key: number): VNode {
  return <Part key={key} block={block} depth={depth} />;
}

/** An item of one line has no paragraph of its own. */
function itemOf(
  blocks: readonly Block[],
  nested: (blocks: readonly Block[]) => VNode[],
): ComponentChildren {
  const [first, ...rest] = blocks;
  return first?.kind === "paragraph" ? [inline(first.text), ...nested(rest)] : nested(blocks);
}

function Grid({ aligns, head, rows }: Extract<Block, { kind: "table" }>) {
  const classOf = (column: number) => `align-${aligns[column] ?? "start"}`;
  return (
    <div class="scrolls" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th key={column} scope="col" class={classOf(column)}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, at) => (
            <tr key={at}>
              {cells.map((cell, column) => (
                <td key={column} class={classOf(column)}>
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(text: string): ComponentChildren {
  return spansOf(text).map(spanOf);
}

function spanOf(span: Span, key: number): ComponentChildren {
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return <code key={key}>{span.text}</code>;
    case "break":
      return <br key={key} />;
    case "strong":
      return <strong key={key}>{span.spans.map(spanOf)}</strong>;
    case "em":
      return <em key={key}>{span.spans.map(spanOf)}</em>;
    case "del":
      return <del key={key}>{span.spans.map(spanOf)}</del>;
    case "image":
      return <img key={key} src={span.src} alt={span.alt} />;
    case "link":
      return (
        <a
          key={key}
          class="link"
          href={span.href}
          title={span.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {span.spans.map(spanOf)}
        </a>
      );
  }
}
