using Tarn.Traces;

namespace Tarn.Tool.Allocations;

/// <summary>Tells from the methods of the platform that are innermost on a stack why an array was allocated.</summary>
internal static class StackMeans
{
    private static readonly (AllocationMeans Means, string Type, string[] Methods)[] s_rules =
    [
        (AllocationMeans.PoolMiss, "System.Buffers.SharedArrayPool", []),
        (AllocationMeans.PoolMiss, "System.Buffers.ConfigurableArrayPool", []),
        (AllocationMeans.PoolMiss, "Microsoft.IO.RecyclableMemoryStream", []),
        (AllocationMeans.PoolMiss, "Tarn.", []),
        (AllocationMeans.Copy, "System.IO.MemoryStream", ["ToArray"]),
        (AllocationMeans.MemoryStreamGrowth, "System.IO.MemoryStream", []),
        (AllocationMeans.MemoryStreamGrowth, "new System.IO.MemoryStream", []),
        (AllocationMeans.StringBuilderGrowth, "System.Text.StringBuilder", []),
        (AllocationMeans.StringBuilderGrowth, "new System.Text.StringBuilder", []),
        (AllocationMeans.WriterGrowth, "System.Buffers.ArrayBufferWriter", []),
        (AllocationMeans.WriterGrowth, "new System.Buffers.ArrayBufferWriter", []),
        (AllocationMeans.Encoding, "System.Text.", ["GetBytes", "GetChars"]),
        (AllocationMeans.Encoding, "System.Convert", ["FromBase64String", "FromBase64CharPtr", "FromHexString"]),
        (AllocationMeans.ReadWhole, "System.IO.File", ["ReadAllBytes", "ReadAllBytesAsync", "ReadAllBytesUnknownLength"]),
        (AllocationMeans.ReadWhole, "System.IO.BinaryReader", ["ReadBytes"]),
        (AllocationMeans.ReadWhole, "System.Net.Http.HttpContent", []),
        (AllocationMeans.Copy, "System.", ["ToArray", "Clone"]),
        (AllocationMeans.CollectionGrowth, "System.Collections.", []),
        (AllocationMeans.CollectionGrowth, "new System.Collections.", []),
    ];

    /// <summary>What makes an array for whoever called it.</summary>
    private static readonly string[] s_makers =
    [
        "System.GC.Allocate", "System.Array.Resize", "System.Array.CreateInstance", "System.Runtime.", "System.StubHelpers.",
    ];

    private static readonly string[] s_platform =
        ["System.", "Microsoft.Extensions.", "Microsoft.AspNetCore.", "Microsoft.Win32.", "Microsoft.IO."];

    /// <summary>Tells the means, and the stack of the caller: from the first frame on that is not of the platform.</summary>
    public static (AllocationMeans Means, int Caller) Of(StackTable stacks, int stack)
    {
        AllocationMeans? means = null;
        bool isInMaker = true;
        for (int node = stack; node != 0; node = stacks.Nodes[node].Caller)
        {
            StackFrame frame = stacks.Frames[stacks.Nodes[node].Frame];
            isInMaker &= IsMaker(frame);
            if (!IsOfPlatform(frame))
            {
                return (means ?? (AreAllMakers(stacks, stack, node) ? AllocationMeans.NewArray : AllocationMeans.Platform), node);
            }

            // Behind a pool, what the pool did for its caller does not matter, and so with a stream.
            means ??= isInMaker ? null : RuleOf(frame);
        }

        return (means ?? AllocationMeans.Platform, stack);
    }

    private static bool AreAllMakers(StackTable stacks, int stack, int caller)
    {
        for (int node = stack; node != caller; node = stacks.Nodes[node].Caller)
        {
            if (!IsMaker(stacks.Frames[stacks.Nodes[node].Frame]))
            {
                return false;
            }
        }

        return true;
    }

    private static AllocationMeans? RuleOf(StackFrame frame)
    {
        foreach ((AllocationMeans means, string type, string[] methods) in s_rules)
        {
            if (frame.Method.StartsWith(type, StringComparison.Ordinal)
                && (methods.Length == 0 || methods.Any(method => IsNamed(frame.Method, method))))
            {
                return means;
            }
        }

        return null;
    }

    /// <summary>Whether a method has a name, with its generic arguments or without.</summary>
    private static bool IsNamed(string method, string name)
    {
        int at = method.LastIndexOf($".{name}", StringComparison.Ordinal);
        return at >= 0 && (at + 1 + name.Length == method.Length || method[at + 1 + name.Length] == '<');
    }

    private static bool IsMaker(StackFrame frame) => Array.Exists(s_makers, one => frame.Method.StartsWith(one, StringComparison.Ordinal));

    /// <summary>A method without a name is native, as of the runtime.</summary>
    private static bool IsOfPlatform(StackFrame frame) =>
        frame.Method.Length == 0 || frame.Module is "System.Private.CoreLib" or "Tarn" or "Tarn.SharedMemory"
        || Array.Exists(s_platform, one => frame.Module.StartsWith(one, StringComparison.Ordinal));
}
