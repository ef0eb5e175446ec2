# syntax=docker/dockerfile:1
# Sluice as an image of one file and the libraries it is linked with: no shell, no packages, a user
# of its own. It runs with a read-only root file system; only /data, the volume, is written to.
#   docker build --build-arg COMMIT=$(git rev-parse HEAD) -t sluice .

FROM node:22.21.1-bookworm-slim AS build
ARG COMMIT=""
WORKDIR /src
# The packages first: they change less often than the sources.
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --omit=dev --no-audit --no-fund
COPY bin bin
COPY sandbox sandbox
COPY src src
COPY web web
COPY deploy/container deploy/container
COPY tsconfig.json ./
RUN node bin/build.mjs --commit "$COMMIT" \
    && sh deploy/container/root.sh dist/sluice /image \
    && mkdir -p /image/usr/share/doc/sluice \
    && cp dist/sluice.cdx.json /image/usr/share/doc/sluice/

FROM scratch
LABEL org.opencontainers.image.title="Sluice" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /image/ /
ENV HOST=0.0.0.0 \
    PORT=3000 \
    SLUICE_DATA=/data
USER 10001:10001
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["/usr/local/bin/sluice", "health"]
ENTRYPOINT ["/usr/local/bin/sluice"]
CMD ["serve"]
