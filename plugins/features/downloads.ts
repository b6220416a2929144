import fp from 'fastify-plugin'
import { every } from '../../src/base/every.ts'
import { HOUR_MS, MIB } from '../../src/base/units.ts'
import { DownloadStore } from '../../src/engine/downloads/store.ts'
import { troubleSampling } from '../../src/log/sampled-lines.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly downloads: DownloadStore
  }
}

/** Milliseconds between clean-ups: often enough for files that are kept for hours. */
const SWEEP_MS = 600_000

/** A full disk stays full: one line reports it, and the sum of each window says how often. */
const fullSampling = { lines: 1, windowMs: 60_000 }

/** Decorates the download folder, and removes old files from it if callers share it. */
export default fp(
  async fastify => {
    const { config, log, metrics } = fastify
    const limits = {
      caller: config.FORGE_DOWNLOAD_QUOTA_MB * MIB,
      all: config.FORGE_DOWNLOAD_TOTAL_MB * MIB,
      keepMs: config.FORGE_DOWNLOAD_KEEP_HOURS * HOUR_MS
    }
    const isShared = config.STREAMABLE_HTTP && config.FORGE_DOWNLOAD_DIR !== ''
    // A full disk is one problem, whichever caller runs into it.
    const troubles = fastify.sampledLog(
      'error',
      { kind: 'errno', more: 'more archives cannot be saved' },
      troubleSampling
    )
    const full = fastify.sampledLog(
      'warn',
      { kind: 'errno', more: 'more archives have made room on a full disk' },
      fullSampling
    )
    const downloads = new DownloadStore({
      root: config.FORGE_DOWNLOAD_DIR,
      limits: isShared ? limits : undefined,
      now: Date.now,
      onTrouble({ code = '', message }) {
        metrics.archivesNotSaved.count()
        troubles.add(code, 'archives cannot be saved', () => ({ errno: code, says: message }))
      },
      onFull({ code = '' }) {
        full.add(code, 'the disk of the download folder is full, an older archive has made room', () => ({
          errno: code,
          advice: 'Make the volume of FORGE_DOWNLOAD_DIR larger, or FORGE_DOWNLOAD_TOTAL_MB smaller.'
        }))
      }
    })
    fastify.decorate('downloads', downloads)
    if (!isShared) return
    const sweep = () =>
      downloads.sweep().then(
        files => {
          if (files > 0) log.info({ files }, 'archives removed from the download folder')
        },
        error => log.error({ err: error }, 'download folder not swept')
      )
    fastify.addHook('onReady', sweep)
    every(SWEEP_MS, fastify, sweep)
  },
  {
    fastify: '5.x',
    name: 'features/downloads',
    dependencies: ['operations/env', 'operations/metrics', 'operations/sampled-log']
  }
)
