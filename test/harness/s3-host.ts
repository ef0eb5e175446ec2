// A little S3: enough of the protocol for what the gateway's storage uses, kept in memory. Or a real
// one, by its address: `SLUICE_TEST_S3_URL=http://id:secret@127.0.0.1:7070/bucket`.
import { S3Client } from "bun";

/** A part of a bucket that is empty before and after. */
export interface S3Place extends AsyncDisposable {
  rules: {
    endpoint: string;
    region: string;
    bucket: string;
    prefix: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  /** Key that it refuses: the little one checks no signature, a real one may know no stranger. */
  wrongKey: { accessKeyId: string } | { secretAccessKey: string };
  /** Names of all files there, whole. */
  names(): Promise<string[]>;
  put(name: string): Promise<void>;
}

export function openS3(): S3Place {
  const address = process.env["SLUICE_TEST_S3_URL"] ?? "";
  const host = address === "" ? startS3("results") : null;
  const url = new URL(host ? `${host.url.replace("//", "//id:secret@")}/results` : address);
  const rules = {
    endpoint: url.origin,
    region: host ? "auto" : "us-east-1",
    bucket: url.pathname.slice(1),
    prefix: `sluice-${crypto.randomUUID().slice(0, 8)}/`,
    accessKeyId: url.username,
    secretAccessKey: url.password,
  };
  const client = new S3Client(rules);
  async function names(): Promise<string[]> {
    const all: string[] = [];
    for (;;) {
      const startAfter = all.at(-1);
      const page = await client.list({ prefix: rules.prefix, ...(startAfter && { startAfter }) });
      all.push(...(page.contents ?? []).map(({ key }) => key));
      if (page.isTruncated !== true) return all;
    }
  }
  return {
    rules,
    wrongKey: host ? { accessKeyId: "wrong" } : { secretAccessKey: "wrong" },
    names,
    put: async (name) => void (await client.file(name).write("x")),
    async [Symbol.asyncDispose]() {
      if (host) return await host[Symbol.asyncDispose]();
      for (const name of await names()) await client.file(name).delete();
    },
  };
}

interface S3Host extends AsyncDisposable {
  url: string;
  /** Files by name, without the bucket. */
  files: Map<string, Uint8Array>;
}

const pageSize = 2;

function startS3(bucket: string): S3Host {
  const files = new Map<string, Uint8Array>();
  const uploads = new Map<string, Map<number, Uint8Array>>();
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const signature = request.headers.get("authorization") ?? "";
      if (!signature.startsWith("AWS4-HMAC-SHA256 Credential=id/"))
        return fault(403, "AccessDenied");
      if (!pathname.startsWith(`/${bucket}`)) return fault(404, "NoSuchBucket");
      const name = decodeURIComponent(pathname.slice(bucket.length + 2));
      if (searchParams.has("uploads") || searchParams.has("uploadId")) {
        return await upload(request, name, searchParams);
      }
      if (name === "") return list(searchParams);
      if (request.method === "PUT") files.set(name, await request.bytes());
      if (request.method === "DELETE") files.delete(name);
      if (request.method === "PUT" || request.method === "DELETE") return new Response(null);
      return serve(files.get(name), request);
    },
  });

  async function upload(request: Request, name: string, query: URLSearchParams) {
    const id = query.get("uploadId") ?? `upload-${uploads.size}`;
    const parts = uploads.get(id) ?? new Map<number, Uint8Array>();
    uploads.set(id, parts);
    if (request.method === "PUT") {
      const number = Number(query.get("partNumber"));
      parts.set(number, await request.bytes());
      return new Response(null, { headers: { etag: `"${number}"` } });
    }
    if (query.has("uploads"))
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      );
    const inOrder = [...parts].toSorted(([first], [second]) => first - second);
    files.set(name, Buffer.concat(inOrder.map(([, bytes]) => bytes)));
    return xml("<CompleteMultipartUploadResult><ETag>all</ETag></CompleteMultipartUploadResult>");
  }

  function list(query: URLSearchParams) {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("start-after") ?? "";
    const names = [...files.keys()]
      .toSorted()
      .filter((name) => name.startsWith(prefix) && name > after);
    const rows = names
      .slice(0, pageSize)
      .map(
        (name) => `<Contents><Key>${name}</Key><Size>${files.get(name)?.length}</Size></Contents>`,
      );
    const isTruncated = names.length > pageSize;
    return xml(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${rows.join("")}</ListBucketResult>`,
    );
  }

  return {
    url: `http://127.0.0.1:${server.port}`,
    files,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function serve(bytes: Uint8Array | undefined, { method, headers }: Request) {
  if (!bytes) return fault(404, "NoSuchKey");
  const [, first = "", last = ""] = /^bytes=(\d+)-(\d*)$/.exec(headers.get("range") ?? "") ?? [];
  const start = Number(first);
  const end = last === "" ? bytes.length : Number(last) + 1;
  const shown = { "content-length": String(end - start), etag: '"x"' };
  const body = method === "HEAD" ? null : bytes.slice(start, end);
  return new Response(body, { status: first === "" ? 200 : 206, headers: shown });
}

function xml(text: string) {
  return new Response(`<?xml version="1.0"?>${text}`, {
    headers: { "content-type": "application/xml" },
  });
}

function fault(status: number, code: string) {
  return new Response(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, { status });
}
