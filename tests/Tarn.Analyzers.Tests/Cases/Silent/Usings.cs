using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;
using Tarn;

/// <summary>Owners that a using statement or declaration disposes, in all its forms.</summary>
internal sealed class Usings
{
    internal static int TwoInOneStatement(int length)
    {
        using (IMemoryOwner<byte> first = MemoryPool<byte>.Shared.Rent(length), second = MemoryPool<byte>.Shared.Rent(length))
        {
            first.Memory.CopyTo(second.Memory);
            return second.Memory.Span[0];
        }
    }

    internal static int TwoInOneDeclaration(int length)
    {
        using IMemoryOwner<byte> first = MemoryPool<byte>.Shared.Rent(length), second = MemoryPool<byte>.Shared.Rent(length);
        return first.Memory.Length + second.Memory.Length;
    }

    internal static int Unnamed(int length)
    {
        using (MemoryPool<byte>.Shared.Rent(length))
        {
            return length;
        }
    }

    internal static int OfWhatIsThere(int length)
    {
        using (IMemoryOwner<byte>? owner = length > 0 ? MemoryPool<byte>.Shared.Rent(length) : null)
        {
            return owner?.Memory.Length ?? 0;
        }
    }

    internal static int OfAnOwnVariable(int length)
    {
        IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length);
        using IMemoryOwner<byte> same = owner;
        return owner.Memory.Length;
    }

    internal static async Task<int> OfAWait(int length)
    {
        using IMemoryOwner<byte> owner = await RentAsync(length);
        return owner.Memory.Length;
    }

    internal static async Task<int> Awaited(int length)
    {
        await using Frame frame = Frame.Rent(length);
        return frame.Memory.Length;
    }

    internal static async Task<int> AwaitedStatement(int length)
    {
        await using (Frame frame = Frame.Rent(length))
        {
            return frame.Memory.Length;
        }
    }

    internal static async Task<int> AwaitedWithoutContext(int length)
    {
        Frame frame = Frame.Rent(length);
        await using (frame.ConfigureAwait(false))
        {
            return frame.Memory.Length;
        }
    }

    internal static int LeaseInALoop(Stream source)
    {
        int sum = 0;
        for (int i = 1; i < 10; i++)
        {
            using BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(i);
            sum += source.Read(lease.Span);
        }

        return sum;
    }

    internal static int InASection(int kind, int length)
    {
        switch (kind)
        {
            case 0:
                using (IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(length))
                {
                    return owner.Memory.Length;
                }

            default:
                using (BufferLease<byte> lease = BufferPool<byte>.Shared.Lease(length))
                {
                    return lease.Length;
                }
        }
    }

    private static async Task<IMemoryOwner<byte>> RentAsync(int length)
    {
        await Task.Yield();
        return MemoryPool<byte>.Shared.Rent(length);
    }

    private sealed class Frame(IMemoryOwner<byte> inner) : IMemoryOwner<byte>, IAsyncDisposable
    {
        public Memory<byte> Memory => inner.Memory;

        public static Frame Rent(int length) => new(MemoryPool<byte>.Shared.Rent(length));

        public void Dispose() => inner.Dispose();

        public ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
