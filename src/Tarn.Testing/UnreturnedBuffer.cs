using System.Diagnostics;
using System.Globalization;

namespace Tarn.Testing;

/// <summary>A buffer or stream that was rented in a <see cref="BufferScope"/> and not returned.</summary>
/// <remarks>Immutable, and safe to use from any thread.</remarks>
public sealed class UnreturnedBuffer
{
    private readonly Rent _rent;
    private readonly Lazy<string> _stack;

    internal UnreturnedBuffer(Rent rent)
    {
        _rent = rent;
        _stack = new Lazy<string>(() => Inside.Run(() => RentStack.Describe(rent.Stack)));
    }

    /// <summary>What was rented, such as <c>an array of 1024 elements of ArrayPool&lt;T&gt;.Shared</c>.</summary>
    public string Description => Inside.Run(() =>
        _rent.IsStream ? "a PooledMemoryStream that was not disposed"
        : RentStack.PoolOf(_rent.Stack) is { } pool
            ? string.Create(CultureInfo.InvariantCulture, $"an array of {_rent.Length} elements of {pool}")
        : string.Create(CultureInfo.InvariantCulture, $"a block of {_rent.Length} bytes of a NativeHeap"));

    /// <summary>The length of the buffer: elements of an array, bytes of a block, 0 for a stream.</summary>
    public int Length => _rent.Length;

    /// <summary>The stack that rented it, a line for each method from the one that called the pool, with lines where symbols are.</summary>
    public string RentedAt => _stack.Value;

    /// <summary>The stack that rented it, with the methods of the pool and of the test framework.</summary>
    public StackTrace FullStack => _rent.Stack;

    /// <inheritdoc/>
    public override string ToString() => Inside.Run(() => $"{Description}, rented at{Environment.NewLine}{RentedAt}");
}
