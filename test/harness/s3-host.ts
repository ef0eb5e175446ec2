// A little S3: enough of the protocol for what the gateway's storage uses, kept in memory.

export interface S3Host extends AsyncDisposable {
  url: string;
  /** By name, without the bucket. */
  files: Map<string, Uint8Array>;
}

const pageSize = 2;

export function startS3(bucket: string): S3Host {
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
