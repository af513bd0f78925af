using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Tarn.Diagnostics;

/// <summary>The stack of a sampled rent: its identity, and its frames once they are described.</summary>
internal sealed class SampledStack : IEquatable<SampledStack>
{
    /// <summary>The most frames that a stack keeps, the innermost: a recursion has thousands.</summary>
    internal const int MostFrames = 128;

    private readonly Place[] _places;
    private readonly int _hash;

    private SampledStack(Place[] places)
    {
        _places = places;
        HashCode hash = default;
        foreach (Place place in places)
        {
            hash.Add(place);
        }

        _hash = hash.ToHashCode();
    }

    /// <summary>Stands for the stacks that a full profile cannot tell apart.</summary>
    internal static SampledStack Other { get; } = new([]) { Frames = [new SampledFrame("(places beyond those a profile keeps)", "", 0)] };

    /// <summary>The frames from the method that called this library on, the innermost first; empty until they are described.</summary>
    internal IReadOnlyList<SampledFrame> Frames { get; private init; } = [];

    /// <summary>Captures the identity of the current stack.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static SampledStack Capture()
    {
        ReadOnlySpan<StackFrame> frames = new StackTrace(skipFrames: 1, fNeedFileInfo: false).GetFrames();
        Place[] places = new Place[Math.Min(frames.Length, MostFrames)];
        for (int i = 0; i < places.Length; i++)
        {
            places[i] = Place.Of(frames[i]);
        }

        return new SampledStack(places);
    }

    /// <summary>Describes the current stack, which is the one captured before, with lines where symbols are available.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal SampledStack DescribeHere()
    {
        List<CallFrame> frames = CallStack.Read(new StackTrace(skipFrames: 1, fNeedFileInfo: true), MostFrames);
        return new SampledStack(_places)
        {
            Frames = [.. frames.Select(static frame => new SampledFrame(frame.Method, frame.File, frame.Line))],
        };
    }

    /// <inheritdoc/>
    public bool Equals(SampledStack? other) =>
        other is not null && _hash == other._hash && _places.AsSpan().SequenceEqual(other._places);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as SampledStack);

    /// <inheritdoc/>
    public override int GetHashCode() => _hash;

    /// <summary>One frame's identity: the place in its method, or its address where the runtime keeps no methods.</summary>
    private readonly record struct Place(MethodBase? Method, int Offset, nint Address)
    {
        [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The method is only compared; it may be absent.")]
        internal static Place Of(StackFrame frame) => new(frame.GetMethod(), frame.GetNativeOffset(), frame.GetNativeIP());
    }
}

/// <summary>One described frame of a sampled stack.</summary>
/// <param name="Method">The method with its type.</param>
/// <param name="File">The source file; empty if it is not known.</param>
/// <param name="Line">The line in the file, from 1; 0 if it is not known.</param>
internal readonly record struct SampledFrame(string Method, string File, int Line);
