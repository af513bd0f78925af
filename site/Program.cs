using System.Diagnostics;
using Tarn.Site;

// Makes the site in artifacts/site/html: the repository's pages, and the reference of the public API from its XML comments.
string root = Repository.FindRoot();
string site = Path.Combine(root, "site");
string made = Path.Combine(root, "artifacts", "site");
if (args is not ([] or ["--serve"]))
{
    Console.Error.WriteLine("Usage: dotnet run --project site [--serve]");
    return 2;
}

if (Directory.Exists(made))
{
    Directory.Delete(made, recursive: true);
}

Run(root, "build", "src/Tarn.AspNetCore", "-c", "Release", "-nologo", "-v", "q");
Run(root, "build", "src/Tarn.SharedMemory.AspNetCore", "-c", "Release", "-nologo", "-v", "q");
Run(root, "build", "src/Tarn.Testing", "-c", "Release", "-nologo", "-v", "q");
Run(root, "build", "lab", "-c", "Release", "-nologo", "-v", "q");
Run(site, "tool", "restore");
string pages = Path.Combine(made, "pages");
Stage.Write(root, pages);
foreach (string run in Reports.FindRuns(root))
{
    string drawn = Path.Combine(made, "reports", run);
    Run(
        root,
        "run", "-c", "Release", "--no-build", "--project", "lab", "--", "report", Reports.ResultsOf(run), "--out", drawn);
    File.Copy(Path.Combine(drawn, "report.html"), Path.Combine(pages, Reports.PageOf(run)));
}

Run(site, "docfx", "metadata", "--warningsAsErrors");
Run(site, "docfx", "build", "--warningsAsErrors");
string html = Path.Combine(made, "html");
IReadOnlyList<string> dead = LinkCheck.FindDead(html);
foreach (string link in dead)
{
    Console.Error.WriteLine(link);
}

if (dead.Count > 0)
{
    Console.Error.WriteLine($"{dead.Count} dead links.");
    return 1;
}

Console.WriteLine(Path.Combine(html, "index.html"));
if (args is ["--serve"])
{
    Run(site, "docfx", "serve", html);
}

return 0;

static void Run(string folder, params string[] arguments)
{
    using Process process = Process.Start(new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = folder })!;
    process.WaitForExit();
    if (process.ExitCode != 0)
    {
        Console.Error.WriteLine($"dotnet {string.Join(' ', arguments)} failed.");
        Environment.Exit(1);
    }
}
