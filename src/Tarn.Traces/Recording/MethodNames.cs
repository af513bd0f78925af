using System.Text.RegularExpressions;

namespace Tarn.Traces;

/// <summary>Turns the runtime's names of methods into those that the source has, and knows those of pools.</summary>
/// <remarks>
/// The runtime has a namespace, types joined by plus signs, generic arguments in brackets behind the innermost type or the method, and
/// parameters in parentheses. The compiler makes types and methods with names in angle brackets for lambdas, local functions and what
/// follows an await or a yield.
/// </remarks>
internal static partial class MethodNames
{
    private const string Constructor = "..ctor";
    private const string StaticConstructor = "..cctor";
    private const string Created = "new ";

    private static readonly Dictionary<string, string> s_keywords = new()
    {
        ["System.Boolean"] = "bool",
        ["System.Byte"] = "byte",
        ["System.SByte"] = "sbyte",
        ["System.Char"] = "char",
        ["System.Int16"] = "short",
        ["System.UInt16"] = "ushort",
        ["System.Int32"] = "int",
        ["System.UInt32"] = "uint",
        ["System.Int64"] = "long",
        ["System.UInt64"] = "ulong",
        ["System.IntPtr"] = "nint",
        ["System.UIntPtr"] = "nuint",
        ["System.Single"] = "float",
        ["System.Double"] = "double",
        ["System.Decimal"] = "decimal",
        ["System.String"] = "string",
        ["System.Object"] = "object",

        // The code of a generic method is one for all classes.
        ["System.__Canon"] = "class",
    };

    /// <summary>
    /// Without parameters, as C# has it; asynchronous methods, iterators, lambdas and local functions under the name of the method they are
    /// in.
    /// </summary>
    internal static string Readable(string fullName)
    {
        string name = WithoutParameters(fullName);
        if (name.EndsWith(StaticConstructor, StringComparison.Ordinal))
        {
            return $"static {Path(name[..^StaticConstructor.Length])}";
        }

        return name.EndsWith(Constructor, StringComparison.Ordinal) ? Created + Path(name[..^Constructor.Length]) : Path(name);
    }

    /// <summary>The name that instructions call a method by: without type, parameters and generic arguments.</summary>
    internal static string Short(string fullName)
    {
        string name = WithoutParameters(fullName);
        name = name.EndsWith(']') && name.IndexOf('[', name.LastIndexOf("].", StringComparison.Ordinal) + 1) is > 0 and var arguments
            ? name[..arguments]
            : name;
        return name.EndsWith(Constructor, StringComparison.Ordinal) ? Constructor[1..] : name[(name.LastIndexOf('.') + 1)..];
    }

    /// <summary>The element type of the pool whose method this is; null if it is none of a pool.</summary>
    internal static string? ElementOf(string fullName) =>
        PoolPattern().Match(fullName) is { Success: true } found ? found.Groups[1].Value : null;

    /// <summary>Whether a method belongs to a pool or reports its events, rather than to a caller.</summary>
    internal static bool IsOfPool(string fullName, string module)
    {
        string name = fullName.StartsWith(Created, StringComparison.Ordinal) ? fullName[Created.Length..] : fullName;
        return module switch
        {
            // Of a process that was killed, methods have names and no modules.
            "System.Private.CoreLib" or "" =>
                name.StartsWith("System.Diagnostics.Tracing.", StringComparison.Ordinal)
                || name.StartsWith("System.Buffers.SharedArrayPool", StringComparison.Ordinal)
                || name.StartsWith("System.Buffers.ConfigurableArrayPool", StringComparison.Ordinal)
                || name.StartsWith("System.Buffers.ArrayPool", StringComparison.Ordinal)
                || name.StartsWith("System.IO.Stream.Dispose", StringComparison.Ordinal)
                || name.StartsWith("System.IO.Stream.Close", StringComparison.Ordinal),
            "Microsoft.IO.RecyclableMemoryStream" => true,
            "Tarn" or "Tarn.AspNetCore" or "Tarn.SharedMemory" => name.StartsWith("Tarn.", StringComparison.Ordinal),
            _ => false,
        };
    }

    /// <summary>A type as C# has it: a keyword, or its name without the namespace.</summary>
    internal static string ShortType(string type)
    {
        int end = type.Length;
        while (end > 0 && type[end - 1] is '&' or '*')
        {
            end--;
        }

        if (type[..end].EndsWith(']') && type.LastIndexOf('[') is var rank && type[(rank + 1)..(end - 1)].Trim(',').Length == 0)
        {
            return ShortType(type[..rank]) + type[rank..];
        }

        string[] path = [.. Split(type[..end], '.')];
        string name = string.Join('.', Split(path[^1], '+').Select(Segment).Where(one => one.Length > 0));
        return (s_keywords.GetValueOrDefault(type[..end]) ?? name) + type[end..];
    }

    private static string WithoutParameters(string name)
    {
        int depth = 0;
        for (int at = 0; at < name.Length; at++)
        {
            depth += name[at] is '[' ? 1 : name[at] is ']' ? -1 : 0;
            if (name[at] == '(' && depth == 0)
            {
                return name[..at];
            }
        }

        return name;
    }

    private static string Path(string name)
    {
        string[] all = [.. Split(name, '.', '+')];

        // What the compiler makes of an asynchronous method or an iterator is a type with this method.
        bool isMachine = all.Length > 1 && all[^1] == "MoveNext" && all[^2].StartsWith('<');
        return string.Join('.', all[..^(isMachine ? 1 : 0)].Select(Segment).Where(one => one.Length > 0));
    }

    /// <summary>A namespace, a type or a method, with its generic arguments; empty for a type that the compiler made.</summary>
    private static string Segment(string segment)
    {
        int brackets = segment.IndexOf('[', StringComparison.Ordinal);
        string name = ArityPattern().Replace(brackets < 0 ? segment : segment[..brackets], "");
        string arguments = brackets < 0 ? "" : Arguments(segment[(brackets + 1)..^1]);
        if (ClosurePattern().IsMatch(name))
        {
            return "";
        }

        if (name == "Nullable" && arguments.Length > 0)
        {
            return $"{arguments[1..^1]}?";
        }

        // The arguments of a state machine are those of its method and of all types around it.
        return name == "ValueTuple" && arguments.Length > 0 ? $"({arguments[1..^1]})"
            : MadePattern().Match(name).Groups["kind"].Value == "d" ? SourceName(name)
            : SourceName(name) + arguments;
    }

    private static string Arguments(string types) => $"<{string.Join(", ", Split(types, ',').Select(type => ShortType(type.Trim())))}>";

    /// <summary>The name in the source of a method or type that the compiler made.</summary>
    private static string SourceName(string name)
    {
        if (MadePattern().Match(name) is not { Success: true } made)
        {
            return name is "<Main>$" or "<$Main>" or "<Main>" ? "Main"
                : name.IndexOf('<', StringComparison.Ordinal) is > 0 and var generic && name.EndsWith('>')
                    ? name[..generic] + Arguments(name[(generic + 1)..^1])
                : FileTypePattern().Match(name) is { Success: true } type ? type.Groups[1].Value
                : name.StartsWith("get_", StringComparison.Ordinal) ? $"{name[4..]}.get"
                : name.StartsWith("set_", StringComparison.Ordinal) ? $"{name[4..]}.set"
                : name;
        }

        string of = SourceName(made.Groups["of"].Value);
        return made.Groups["kind"].Value switch
        {
            "b" => $"{of} (lambda)",
            "g" => $"{of}.{made.Groups["name"].Value}",
            _ => of,
        };
    }

    /// <summary>Splits at separators that are in no brackets and no name that the compiler made.</summary>
    private static IEnumerable<string> Split(string text, params char[] separators)
    {
        int depth = 0;
        int start = 0;
        for (int at = 0; at < text.Length; at++)
        {
            depth += text[at] is '[' or '<' ? 1 : text[at] is ']' or '>' ? -1 : 0;
            if (depth == 0 && separators.Contains(text[at]))
            {
                yield return text[start..at];
                start = at + 1;
            }
        }

        yield return text[start..];
    }

    [GeneratedRegex(@"^<>c(?:__DisplayClass\d+_\d+)?$")]
    private static partial Regex ClosurePattern();

    /// <summary>
    /// Such as <c>&lt;Fill&gt;b__0_1</c>, <c>&lt;Fill&gt;g__Step|7_0</c> or <c>&lt;Fill&gt;d__3</c>, in which another may stand.
    /// </summary>
    [GeneratedRegex(@"^<(?<of>.+)>(?<kind>[bdg])(?:__(?<name>\w+?)?(?:\|?[\d_]+)?)?$")]
    private static partial Regex MadePattern();

    /// <summary>A type that only its file has.</summary>
    [GeneratedRegex(@"^<\w+>F[0-9A-F]+__(.+)$")]
    private static partial Regex FileTypePattern();

    [GeneratedRegex(@"`\d+")]
    private static partial Regex ArityPattern();

    [GeneratedRegex(@"^(?:System\.Buffers\.(?:Shared|Configurable)ArrayPool|Tarn\.BufferPool)`1\[(.+)\]\.[^.\[\]]+\(")]
    private static partial Regex PoolPattern();
}
