namespace Tarn.TestChild.Misuses;

/// <summary>
/// Commits misuses with certain checks on and reports the result of each: a line for each kind, with the part, the kind and the result
/// separated by tabs. Arguments: the checks, how often each misuse is committed, and the one kind to commit; all where none is named.
/// </summary>
internal static class MisuseCommand
{
    internal static void Run(string[] arguments)
    {
        BufferChecks checks = Enum.Parse<BufferChecks>(arguments[0]);
        int times = int.Parse(arguments[1]);
        string? only = arguments.Length > 2 ? arguments[2] : null;
        Run("array pool", ArrayMisuses.Kinds, only, kind => ArrayMisuses.Commit(kind, checks, times));
        Run("native heap", NativeMisuses.Kinds, only, kind => NativeMisuses.Commit(kind, checks, times));
    }

    private static void Run(string part, IEnumerable<string> kinds, string? only, Func<string, string> commit)
    {
        foreach (string kind in kinds.Where(kind => only is null || kind == only))
        {
            Console.WriteLine($"{part}\t{kind}\t{commit(kind)}");
        }
    }
}
