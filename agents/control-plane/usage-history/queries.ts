import { METRICS_COARSE_STEP_SECONDS } from "../../../schemas/hosting/metrics.ts";

/** The statements of the history of usage (SQLite). Times are seconds since the epoch; `samples` is the number of samples in a mean. */

const VALUES = ["cpu", "memory", "disk", "received", "sent"];
const columns = VALUES.map((name) => `${name} REAL`).join(", ");
const list = VALUES.join(", ");
const means = VALUES.map((name) => `avg(${name})`).join(", ");
const weightedMeans = VALUES.map(
  (name) => `sum(${name} * samples) / sum(CASE WHEN ${name} IS NOT NULL THEN samples END) AS ${name}`,
).join(", ");

export const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS subjects (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS fine (subject INTEGER NOT NULL, at INTEGER NOT NULL, ${columns}, PRIMARY KEY (subject, at))
    STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS fine_at ON fine (at);
  CREATE TABLE IF NOT EXISTS coarse (subject INTEGER NOT NULL, at INTEGER NOT NULL, samples INTEGER NOT NULL, ${columns},
    PRIMARY KEY (subject, at)) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS coarse_at ON coarse (at);
`;

export const CHECK = "PRAGMA quick_check(1)";

export const ADD_SUBJECT = "INSERT OR IGNORE INTO subjects (name) VALUES (?)";
export const ADD_SAMPLE = `INSERT OR REPLACE INTO fine (subject, at, ${list})
  SELECT id, ?, ?, ?, ?, ?, ? FROM subjects WHERE name = ?`;

/** The time up to which `coarse` has all that there is. */
export const COARSE_END = `SELECT coalesce(max(at) + ${METRICS_COARSE_STEP_SECONDS}, 0) AS at FROM coarse`;

/** Parameters: from, to. */
export const ADD_MEANS = `INSERT OR REPLACE INTO coarse (subject, at, samples, ${list})
  SELECT subject, at / ${METRICS_COARSE_STEP_SECONDS} * ${METRICS_COARSE_STEP_SECONDS}, count(*), ${means}
  FROM fine WHERE at >= ? AND at < ? GROUP BY 1, 2`;

export const DELETE_FINE = "DELETE FROM fine WHERE at < ?";
export const DELETE_COARSE = "DELETE FROM coarse WHERE at < ?";
export const DELETE_SUBJECTS = `DELETE FROM subjects WHERE id NOT IN (SELECT subject FROM fine)
  AND id NOT IN (SELECT subject FROM coarse)`;

/**
 * The sums over subjects of their means in each step. Before `$coarseEnd` the values are those of `coarse`; 0: all are of
 * `fine`. `$names`: a JSON array.
 */
export const READ = `
  WITH chosen AS (SELECT id FROM subjects WHERE name IN (SELECT value FROM json_each($names))),
  measured AS (
    SELECT subject, at, samples, ${list} FROM coarse
    WHERE subject IN (SELECT id FROM chosen) AND at >= $from AND at < min($to, $coarseEnd)
    UNION ALL
    SELECT subject, at, 1, ${list} FROM fine
    WHERE subject IN (SELECT id FROM chosen) AND at >= max($from, $coarseEnd) AND at < $to
  ),
  means AS (SELECT subject, (at - $from) / $step AS point, ${weightedMeans} FROM measured GROUP BY 1, 2)
  SELECT point, ${VALUES.map((name) => `sum(${name}) AS ${name}`).join(", ")} FROM means GROUP BY point`;
