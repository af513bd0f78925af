using System.Diagnostics;
using System.Reflection;

namespace Tarn.Sanitizing.Checking;

/// <summary>A stack that called a pool, from the method that called it on. Each distinct one exists once.</summary>
internal sealed class RecordedStack : IEquatable<RecordedStack>
{
    private readonly MethodBase[] _methods;
    private readonly int[] _offsets;
    private readonly int _hash;
    private RecordedFrame[]? _frames;
    private string? _site;
    private int _roles;

    private RecordedStack(MethodBase[] methods, int[] offsets, RecordedFrame[]? frames)
    {
        _methods = methods;
        _offsets = offsets;
        _frames = frames;
        HashCode hash = default;
        for (int index = 0; index < methods.Length; index++)
        {
            hash.Add(methods[index]);
            hash.Add(offsets[index]);
        }

        foreach (RecordedFrame frame in frames ?? [])
        {
            hash.Add(frame);
        }

        _hash = hash.ToHashCode();
    }

    private RecordedStack(RecordedFrame[] frames)
        : this([], [], frames)
    {
    }

    /// <summary>Stands for a stack that was not captured.</summary>
    internal static RecordedStack None { get; } = new([]);

    /// <summary>The number by which the report refers to it; 0 until it is reported.</summary>
    internal int ReportedAs { get; set; }

    /// <summary>Notes that the report lists this place as one that rents or returns. Returns false if it does already.</summary>
    internal bool List(SiteRole role) => (Interlocked.Or(ref _roles, (int)role) & (int)role) == 0;

    /// <summary>The frames, the innermost first.</summary>
    internal RecordedFrame[] Frames => _frames ??= Describe();

    /// <summary>
    /// The method that called the pool and, if that is one of the framework, the innermost method of the program: what selects the buffers
    /// that are poisoned. It has no addresses and no lines, so it is the same in each run.
    /// </summary>
    internal string Site => _site ??= PlaceName.Of(Frames);

    /// <summary>Reads the runtime's stack. Leaves out the pool and what watches it.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="covered">The most frames to look at, from the caller of <see cref="StackRecorder.Record"/> on.</param>
    /// <param name="most">The most frames to keep.</param>
    /// <param name="hasLines">Whether the stack has lines, which only it knows.</param>
    internal static RecordedStack Of(StackTrace stack, int covered, int most, bool hasLines)
    {
        bool isOutside = false;
        var methods = new List<MethodBase>();
        var captured = new List<StackFrame>();
        foreach (StackFrame frame in stack.GetFrames())
        {
            MethodBase? method = frame.GetMethod();
            if (!isOutside)
            {
                isOutside = method is { Name: nameof(StackRecorder.Record) } && method.DeclaringType == typeof(StackRecorder);
                continue;
            }

            if (covered-- == 0 || methods.Count == most)
            {
                break;
            }

            if (method is not null && (methods.Count > 0 || !IsOfPool(method)))
            {
                methods.Add(method);
                captured.Add(frame);
            }
        }

        // What holds a method keeps its assembly in memory, which a program may want to unload.
        return hasLines || methods.Exists(static method => method.Module.Assembly.IsCollectible)
            ? new RecordedStack([.. methods.Zip(captured, static (method, frame) => RecordedFrame.Of(method, frame))])
            : new RecordedStack([.. methods], [.. captured.Select(static frame => frame.GetILOffset())], null);
    }

    /// <summary>The frames that this stack and another one have in common, the innermost first.</summary>
    internal RecordedStack CommonWith(RecordedStack other)
    {
        int count = 0;
        while (count < Frames.Length && count < other.Frames.Length && Frames[count] == other.Frames[count])
        {
            count++;
        }

        return new RecordedStack(Frames[..count]);
    }

    /// <summary>The innermost frames alone.</summary>
    internal RecordedStack Innermost(int most) => Frames.Length <= most ? this : new RecordedStack(Frames[..most]);

    /// <summary>Whether this stack has all frames of another one, at the same places.</summary>
    internal bool StartsWith(RecordedStack other) => Frames.AsSpan().StartsWith(other.Frames);

    /// <summary>Whether a frame is of an assembly that is no file.</summary>
    internal static bool NeedsLines(StackTrace stack, int most)
    {
        ReadOnlySpan<StackFrame> frames = stack.GetFrames();
        foreach (StackFrame frame in frames[..Math.Min(most, frames.Length)])
        {
            if (frame.GetMethod()?.Module.Assembly is { IsDynamic: false } assembly && RecordedFrame.PathOf(assembly).Length == 0)
            {
                return true;
            }
        }

        return false;
    }

    private static bool IsOfPool(MethodBase method) =>
        method.Module == typeof(RecordedStack).Module
        || (method.Module == typeof(object).Module && method.DeclaringType is { Namespace: "System.Buffers" } type
            && type.Name is "SharedArrayPool`1" or "ConfigurableArrayPool`1" or "ArrayPool`1" or "Bucket");

    private RecordedFrame[] Describe() => [.. _methods.Zip(_offsets, static (method, offset) => RecordedFrame.Of(method, offset))];

    /// <inheritdoc/>
    public bool Equals(RecordedStack? other) =>
        other is not null && _hash == other._hash && _methods.AsSpan().SequenceEqual(other._methods)
        && _offsets.AsSpan().SequenceEqual(other._offsets)
        && (_methods.Length > 0 || Frames.AsSpan().SequenceEqual(other.Frames));

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as RecordedStack);

    /// <inheritdoc/>
    public override int GetHashCode() => _hash;
}
