package dev.tickwell.core;

/** A request that takes no part in the order of its table. */
final class UnorderedDraft implements Draft {
  private final Draft draft;

  UnorderedDraft(Draft draft) {
    this.draft = draft;
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
    return new Content(Requests.unordered(content.body()), content.input());
  }
}
