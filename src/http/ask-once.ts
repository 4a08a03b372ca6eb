/**
 * Asks one question at a time: who asks while it is open gets the same answer. So a database that has stopped
 * answering holds one connection for each question, however often probes and scrapes come.
 */
export function askOnce<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let open: Promise<Answer> | null = null
  return () => {
    open ??= ask().finally(() => {
      open = null
    })
    return open
  }
}
