package dev.tickwell.benchmark.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Renders {@code report.html} again from the files of a run. */
public final class ReportMain {
  /** The page's file name. */
  public static final String REPORT = "report.html";

  private ReportMain() {}

  /** Takes the folder with the result files. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("usage: java -jar <scenarios jar> FOLDER-WITH-RESULT-FILES");
      System.exit(2);
    }
    System.out.println(render(Path.of(args[0])));
  }

  /** Reads the files in a folder, writes the page beside them and gives its path. */
  public static Path render(Path folder) throws IOException {
    Path page = folder.resolve(REPORT);
    String html = HtmlReport.render(ResultFiles.readResults(folder), ResultFiles.readTicks(folder));
    Files.writeString(page, html);
    return page;
  }
}
