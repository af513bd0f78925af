using System.Text.RegularExpressions;

namespace Tarn.Traces;

/// <summary>Turns the runtime's names of methods into those that the source has.</summary>
internal static partial class MethodNames
{
    // Stands for the brackets of an array among those of generic types.
    private const string Array = "\u0001";

    /// <summary>Without parameters; asynchronous methods, lambdas and local functions under the name of the method they are in.</summary>
    internal static string Readable(string fullName)
    {
        int parameters = fullName.IndexOf('(', StringComparison.Ordinal);
        string name = parameters < 0 ? fullName : fullName[..parameters];
        // Top-level statements first: what they contain has names around theirs.
        name = name.Replace("<<Main>$>", "<Main>", StringComparison.Ordinal)
            .Replace("<Main>$", "Main", StringComparison.Ordinal).Replace("<$Main>", "Main", StringComparison.Ordinal);
        name = ClosurePattern().Replace(name, "");
        name = StateMachinePattern().Replace(name, ".$1");
        name = LambdaPattern().Replace(name, ".$1 (lambda)");
        name = LocalFunctionPattern().Replace(name, ".$1.$2");
        name = name.Replace("[]", Array, StringComparison.Ordinal);
        for (string before = ""; before != name;)
        {
            // From the innermost on.
            before = name;
            name = GenericPattern().Replace(name, found => $"<{Arguments(found.Groups[1].Value)}>");
        }

        return ArityPattern().Replace(name, "").Replace('+', '.').Replace(Array, "[]", StringComparison.Ordinal);
    }

    /// <summary>The element type of the pool whose method this is; null if it is none of a pool.</summary>
    internal static string? ElementOf(string fullName) =>
        PoolPattern().Match(fullName) is { Success: true } found ? found.Groups[1].Value : null;

    /// <summary>Whether a method belongs to a pool or reports its events, rather than to a caller.</summary>
    internal static bool IsOfPool(string fullName, string module) => module switch
    {
        "System.Private.CoreLib" =>
            fullName.StartsWith("System.Diagnostics.Tracing.", StringComparison.Ordinal)
            || fullName.StartsWith("System.Buffers.SharedArrayPool", StringComparison.Ordinal)
            || fullName.StartsWith("System.Buffers.ConfigurableArrayPool", StringComparison.Ordinal)
            || fullName.StartsWith("System.Buffers.ArrayPool", StringComparison.Ordinal)
            || fullName.StartsWith("System.IO.Stream.Dispose", StringComparison.Ordinal)
            || fullName.StartsWith("System.IO.Stream.Close", StringComparison.Ordinal),
        "Microsoft.IO.RecyclableMemoryStream" => true,
        "Tarn" => fullName.StartsWith("Tarn.", StringComparison.Ordinal),
        _ => false,
    };

    private static string Arguments(string types) => string.Join(
        ", ",
        types.Split(',', StringSplitOptions.TrimEntries)
            .Select(type => type == "System.__Canon" ? "class" : type[(type.LastIndexOf('.') + 1)..]));

    [GeneratedRegex(@"[+.]<>c(?:__DisplayClass\d+_\d+)?(?:`\d+)?(?:\[[^\]]*\])?(?=[.+])")]
    private static partial Regex ClosurePattern();

    [GeneratedRegex(@"[+.]<<?([^<>]+)>?[^<>]*>d(?:__\d+)?(?:`\d+)?(?:\[[^\]]*\])?\.MoveNext$")]
    private static partial Regex StateMachinePattern();

    [GeneratedRegex(@"\.<([^<>]+)>b__[\d_]+")]
    private static partial Regex LambdaPattern();

    [GeneratedRegex(@"\.<([^<>]+)>g__(\w+)\|[\d_]+")]
    private static partial Regex LocalFunctionPattern();

    [GeneratedRegex(@"\[([^\[\]]+)\]")]
    private static partial Regex GenericPattern();

    [GeneratedRegex(@"`\d+")]
    private static partial Regex ArityPattern();

    [GeneratedRegex(@"^(?:System\.Buffers\.(?:Shared|Configurable)ArrayPool|Tarn\.BufferPool)`1\[(.+)\]\.[^.\[\]]+\(")]
    private static partial Regex PoolPattern();
}
