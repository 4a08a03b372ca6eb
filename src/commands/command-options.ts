/** What the command line gave, for every command. */
export type CommandOptions = {
  /** `--config`: another file than daymark.config.json. */
  readonly configFile?: string | undefined
  /** Texts of flags that set something, by the path of the setting. */
  readonly flags: Readonly<Record<string, string>>
}
