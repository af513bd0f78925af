using System;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Tarn.Analyzers.Known;

/// <summary>Answers whether a method of the base library reads the whole array, span or memory that it receives.</summary>
/// <remarks>
/// A method that takes an array may also write to it, so the methods that read are listed. A method that takes a read-only span or memory
/// can only read it, so the methods that do not read all of it are listed: they search, examine the beginning, or return a part.
/// </remarks>
internal static class Sinks
{
    private static readonly ImmutableHashSet<string> s_readArrays = Set(
        "Write", "WriteAsync", "BeginWrite", "WriteLine", "WriteLineAsync", "WriteAllBytes", "WriteAllBytesAsync", "AppendAllBytes",
        "AppendAllBytesAsync",
        "WriteBase64", "WriteBinHex", "WriteChars", "WriteRaw",
        "Append", "Send", "SendAsync", "SendTo", "SendToAsync", "BeginSend", "GetString", "GetCharCount", "GetByteCount", "GetChars",
        "ToBase64String", "ToBase64CharArray", "FromBase64CharArray", "ToHexString", "ToHexStringLower", "ToString",
        "ComputeHash", "HashData", "AppendData", "TransformBlock", "TransformFinalBlock", "SignData", "SignHash", "VerifyData",
        "VerifyHash", "Encrypt", "Decrypt",
        "EncryptCbc", "EncryptCfb", "EncryptEcb", "DecryptCbc", "DecryptCfb", "DecryptEcb", "Protect", "Unprotect",
        "Load", "Sort", "Reverse", "Shuffle", "BinarySearch", "ConvertAll", "ForEach", "TrueForAll", "Concat", "Join", "Combine", "Copy",
        "BlockCopy", "CopyTo", "TryCopyTo",
        "WhenAll", "WaitAll", "Create", "ToImmutableArray", "Invoke", "SequenceEqual", "SequenceCompareTo");

    private static readonly ImmutableHashSet<string> s_readSequences = Set(
        "AddRange", "InsertRange", "PushRange", "CreateRange", "UnionWith", "IntersectWith", "ExceptWith", "SymmetricExceptWith",
        "SetEquals",
        "Concat", "Join", "WhenAll", "ToImmutableArray", "ToImmutableList", "ToImmutableHashSet", "WriteAllLines", "AppendAllLines",
        "Sum", "Max", "Min", "MaxBy", "MinBy", "Average", "Count", "LongCount", "Last", "LastOrDefault", "Single", "SingleOrDefault",
        "Select", "SelectMany",
        "ToArray", "ToList", "ToHashSet", "ToDictionary", "ToLookup", "Aggregate", "AggregateBy", "CountBy", "All", "Order",
        "OrderDescending", "OrderBy", "OrderByDescending",
        "Reverse", "SequenceEqual", "Distinct", "DistinctBy", "GroupBy", "Union", "Append", "Prepend", "Chunk", "Contains");

    /// <summary>Types whose constructors use a whole array, or copy all of it.</summary>
    private static readonly ImmutableHashSet<string> s_readingTypes = Set(
        "String", "ByteArrayContent", "Guid", "IPAddress", "BigInteger", "BitArray", "X509Certificate", "X509Certificate2",
        "HMACMD5", "HMACSHA1", "HMACSHA256", "HMACSHA384", "HMACSHA512");

    /// <summary>Types that examine only the beginning of a span, or its location.</summary>
    private static readonly ImmutableHashSet<string> s_lookingTypes = Set(
        "BinaryPrimitives", "BitConverter", "Utf8Parser", "Rune", "Vector", "Vector64", "Vector128", "Vector256", "Vector512",
        "SequenceReader", "AsnReader", "AsnDecoder",
        "CborReader", "ProtocolOperationStatus", "Debug", "SpanAction");

    private static readonly ImmutableHashSet<string> s_readSpans = Set(
        "SequenceEqual", "SequenceCompareTo", "CopyTo", "TryCopyTo", "ToArray", "BinarySearch", "Count", "Equals", "CompareTo", "Sort",
        "Reverse", "Contains", "ContainsAny", "ContainsAnyExcept", "ContainsAnyInRange", "ContainsAnyExceptInRange", "EndsWith");

    private static readonly ImmutableHashSet<string> s_written =
        Set("destination", "output", "outputBuffer", "dst", "destinationArray", "ciphertext", "tag", "result");

    /// <summary>Whether a call closes an object over an array without reading the array.</summary>
    internal static bool IsQuietDispose(IInvocationOperation call) =>
        call is { TargetMethod: { Name: "Dispose" or "DisposeAsync" or "Close", Parameters.Length: 0 }, Instance: { } closed }
        && KnownSymbols.WithoutConversions(closed)?.Type is { } type
            && (KnownSymbols.HoldsMemory(type) || type.Name == "UnmanagedMemoryStream");

    /// <summary>Methods of an array, a span or a memory itself that read all of it.</summary>
    internal static bool ReadsReceiver(IMethodSymbol method) =>
        method.Name is "Clone" or "CopyTo" or "TryCopyTo" or "ToArray" or "GetEnumerator"
        || (method.Name == "ToString"
            && method.ContainingType.TypeArguments.Any(static type => type.SpecialType == SpecialType.System_Char));

    /// <summary>Whether a method only fills its whole argument.</summary>
    internal static bool FillsAll(IMethodSymbol method) => method.Name switch
    {
        "Fill" or "NextBytes" or "GetNonZeroBytes" or "Clear" or "ZeroMemory" => true,
        "GetBytes" => method.ContainingType.Name.StartsWith("RandomNumberGenerator", StringComparison.Ordinal),
        _ => false,
    };

    /// <summary>Whether a method overwrites the contents with values that reveal nothing.</summary>
    internal static bool Clears(IMethodSymbol method) =>
        method.Name is "Clear" or "ZeroMemory" || (method.Name == "Fill" && method.ContainingType.Name != "RandomNumberGenerator");

    /// <summary>Whether a method makes a stream fill the whole argument or throw.</summary>
    internal static bool MustFillAll(IMethodSymbol method, IParameterSymbol parameter) =>
        method.Name is "ReadExactly" or "ReadExactlyAsync" && parameter.Name == "buffer" && KnownSymbols.IsOfBaseLibrary(RootOf(method));

    /// <summary>Whether a method makes a stream fill any part of the argument and returns how much it filled.</summary>
    internal static bool MayFillAll(IMethodSymbol method, IParameterSymbol parameter) =>
        method.Name is "Read" or "ReadAsync"
            && parameter.Name == "buffer"
            && KnownSymbols.IsOfBaseLibrary(RootOf(method))
            && RootOf(method).ContainingType.Name == "Stream";

    /// <summary>Whether a method sends out what it reads: even a completely filled array then reveals more than was requested.</summary>
    internal static bool Emits(IMethodSymbol method) =>
        method.Name.StartsWith("Write", StringComparison.Ordinal)
            || method.Name.StartsWith("Send", StringComparison.Ordinal)
            || method.Name.StartsWith("Append", StringComparison.Ordinal);

    /// <summary>
    /// Whether a method of the program's own is named for writing and receives memory to read without a count, so that it writes all of it.
    /// </summary>
    internal static bool NamesAWrite(IMethodSymbol method, IParameterSymbol parameter) =>
        Emits(method)
        && method.MethodKind == MethodKind.Ordinary
        && !KnownSymbols.IsOfBaseLibrary(RootOf(method))
        && parameter.Type is { Name: "ReadOnlySpan" or "ReadOnlyMemory" or "ReadOnlySequence" }
        && !method.Parameters.Any(static other =>
            other.Type.SpecialType is >= SpecialType.System_SByte and <= SpecialType.System_UInt64);

    /// <summary>Whether an argument is read completely, unless other parameters limit it.</summary>
    internal static bool Reads(IMethodSymbol called, IParameterSymbol passed)
    {
        IMethodSymbol method = RootOf(called);
        if (!KnownSymbols.IsOfBaseLibrary(method)
            || passed.Ordinal >= method.Parameters.Length
            || (Namespaces.IsInside(method.ContainingNamespace, "System.Runtime")
                && method.ContainingType.Name != "Marshal"))
        {
            return false;
        }

        IParameterSymbol parameter = method.Parameters[passed.Ordinal].OriginalDefinition;
        if (s_written.Contains(parameter.Name) || s_lookingTypes.Contains(method.ContainingType.Name))
        {
            return method.ContainingType.Name == "BitConverter" && method.Name == "ToString";
        }

        return parameter.Type switch
        {
            IArrayTypeSymbol or { Name: "ArraySegment" } or { SpecialType: SpecialType.System_Array } => ReadsArray(method, parameter),
            { Name: "ReadOnlySpan" or "ReadOnlyMemory" } => ReadsSpan(method),
            { Name: "Span" } =>
                method.ContainingType.Name == "MemoryExtensions" && parameter.Ordinal == 0 && s_readSpans.Contains(method.Name),
            { Name: "IEnumerable" or "ICollection" or "IList" or "IReadOnlyList" or "IReadOnlyCollection" } => ReadsSequence(method),
            _ => false,
        };
    }

    /// <summary>Whether a method of the base library searches what it gets, and tells where it found something.</summary>
    internal static bool Searches(IMethodSymbol method) =>
        (method.Name.StartsWith("IndexOf", StringComparison.Ordinal) || method.Name.StartsWith("LastIndexOf", StringComparison.Ordinal))
        && KnownSymbols.IsOfBaseLibrary(method);

    /// <summary>Whether a method has a parameter for the number of elements it reads.</summary>
    internal static bool IsCounted(IMethodSymbol method, IParameterSymbol parameter) =>
        parameter.OriginalDefinition.Type is IArrayTypeSymbol or { SpecialType: SpecialType.System_Array }
        && method.Name is not "CopyTo"
        && method.Parameters.Any(static other => other.Type.SpecialType is SpecialType.System_Int32 or SpecialType.System_Int64);

    /// <summary>
    /// Whether a number argument is written for other code to read: as a length, it states how long the following data is.
    /// </summary>
    internal static bool WritesNumber(IMethodSymbol method, IParameterSymbol parameter) =>
        parameter.Name == "value"
        && parameter.Type.SpecialType is not SpecialType.None
        && method.ContainingType.Name is "BinaryWriter" or "BinaryPrimitives"
        && method.Name.StartsWith("Write", StringComparison.Ordinal)
        && KnownSymbols.IsOfBaseLibrary(method);

    /// <summary>Whether a method copies. Copying too much to another pooled array is harmless, and is how arrays grow.</summary>
    internal static bool Copies(IMethodSymbol method) => method.Name is "Copy" or "BlockCopy" or "CopyTo" or "TryCopyTo";

    private static bool ReadsArray(IMethodSymbol method, IParameterSymbol parameter)
    {
        if (method.MethodKind == MethodKind.Constructor)
        {
            return s_readingTypes.Contains(method.ContainingType.Name);
        }

        return method.Name switch
        {
            // A format uses the arguments it names and ignores the rest.
            _ when method.Parameters.Any(static other => other.Name == "format") => false,
            "GetBytes" => parameter.Name == "chars",
            "GetChars" => parameter.Name == "bytes",
            "Copy" or "BlockCopy" or "CopyTo" or "TryCopyTo" => parameter.Name is "source" or "sourceArray" or "src",
            "Create" => parameter.IsParams || method.ContainingType.Name == "ImmutableArray",
            "Load" => method.ContainingType.Name == "Assembly",
            "Invoke" => Namespaces.Is(method.ContainingNamespace, "System.Reflection"),
            "ToString" => method.ContainingType.Name == "BitConverter",
            _ => s_readArrays.Contains(method.Name),
        };
    }

    private static bool ReadsSpan(IMethodSymbol method) =>
        method.ContainingType.Name switch
        {
            "MemoryExtensions" => s_readSpans.Contains(method.Name),
            "Span" or "ReadOnlySpan" or "Memory" or "ReadOnlyMemory" or "ReadOnlySequence" or "ArraySegment" => false,
            _ => method.ReturnType.Name is not ("Span" or "ReadOnlySpan" or "Memory" or "ReadOnlyMemory")
                && (method.ContainingType.Name is "Base64" or "Base64Url" or "Utf8"
                    || !method.Parameters.Any(
                        static other =>
                            other.RefKind == RefKind.Out
                                && (other.Name.EndsWith("onsumed", StringComparison.Ordinal) || other.Name == "bytesRead"))),
        };

    private static bool ReadsSequence(IMethodSymbol method) =>
        method.MethodKind == MethodKind.Constructor
            ? Namespaces.IsInside(method.ContainingNamespace, "System.Collections")
            : s_readSequences.Contains(method.Name);

    /// <summary>Returns the first declaration of an override, which defines its behaviour.</summary>
    private static IMethodSymbol RootOf(IMethodSymbol method)
    {
        while (method.OverriddenMethod is { } overridden)
        {
            method = overridden;
        }

        return method;
    }

    private static ImmutableHashSet<string> Set(params string[] names) => names.ToImmutableHashSet(StringComparer.Ordinal);
}
