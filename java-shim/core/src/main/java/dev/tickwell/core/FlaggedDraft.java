package dev.tickwell.core;

/** A request with an option that its bytes do not say by themselves. */
final class FlaggedDraft implements Draft {
  private final Draft draft;
  private final byte flag;

  /**
   * A request with an option.
   *
   * @param flag one of those of {@link Requests}
   */
  FlaggedDraft(Draft draft, byte flag) {
    this.draft = draft;
    this.flag = flag;
  }

  @Override
  public long fixedValues() {
    return draft.fixedValues();
  }

  @Override
  public long lengths() {
    return draft.lengths();
  }

  @Override
  public Content make() {
    Content content = draft.make();
    return new Content(Requests.flagged(content.body(), flag), content.input());
  }
}
