# The image of the service. Build: docker build -t forge-tool-server . (or buildah bud, podman build)
# The base is an argument, so that a mirror or another build of Node 24 can take its place:
#   --build-arg NODE_IMAGE=registry.example.com/node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --ignore-scripts
COPY tsconfig.json esbuild.config.ts ./
COPY src src
COPY plugins plugins
COPY tools tools
COPY prompts prompts
COPY resources resources
COPY completions completions
# What Node compiles of it at the first start is kept for all later ones, for the user that they run as.
# Not of what npm runs to build it.
RUN npm run build \
 && install -d -o 1000 -g 1000 compiled \
 && cd / && NODE_COMPILE_CACHE=/app/compiled PORT=0 DRAIN_SECONDS=0 setpriv --reuid=1000 --regid=1000 --clear-groups \
    timeout --preserve-status --signal=TERM 5 node /app/dist/src/cli.js \
 && chmod -R a+rX /app/compiled

FROM ${NODE_IMAGE}
ARG VERSION=0.1.0
ARG REVISION=
ARG CREATED=
LABEL org.opencontainers.image.title="Forge Tool Server" \
      org.opencontainers.image.description="An MCP server over streamable HTTP for forges that speak GitLab's REST v4 and GraphQL APIs" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}"
# The service needs node alone; package managers would only be something to abuse and to patch.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
    /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-*
# What large bodies and answers leave goes back to the system: by itself the allocator keeps it, also what pieces of 64 KiB
# leave among others, and Node 192 MiB for what lives for a short time. Four threads that collect garbage, as by default, keep calls waiting where they have one core.
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=32768 \
    MALLOC_TRIM_THRESHOLD_=131072 \
    NODE_OPTIONS="--max-semi-space-size=8 --v8-pool-size=1" \
    NODE_ENV=production \
    NODE_COMPILE_CACHE=/app/compiled \
    HOST=0.0.0.0 \
    PORT=3000
WORKDIR /app
COPY package.json LICENSE ./
# All that it runs is in the build, with the licenses of what comes from others.
COPY --from=build /app/dist dist
COPY --from=build --chown=0:0 /app/compiled compiled
# By number, so that Kubernetes' runAsNonRoot can check it. Nothing below / is written to, but where FORGE_DOWNLOAD_DIR says.
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm in between: the process is PID 1 and gets SIGTERM itself.
ENTRYPOINT ["node", "dist/src/cli.js"]
