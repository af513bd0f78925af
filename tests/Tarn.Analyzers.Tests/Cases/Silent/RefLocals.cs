using System.Buffers;

/// <summary>An assignment to a ref local stores an array where the local refers to, which outlives the method.</summary>
internal sealed class RefLocals(byte[][] live)
{
    private byte[] _kept = [];

    internal void ReplaceElement(int place, int length)
    {
        ref byte[] element = ref live[place];
        ArrayPool<byte>.Shared.Return(element);
        element = ArrayPool<byte>.Shared.Rent(length);
    }

    internal void ReplaceField(int length)
    {
        ref byte[] field = ref _kept;
        field = ArrayPool<byte>.Shared.Rent(length);
    }

    internal int SharesItsNameWithWhatALambdaWrites(int length)
    {
        byte[] rented = ArrayPool<byte>.Shared.Rent(length);
        ref byte first = ref rented[0];
        System.Func<int, int> next = first => ++first;
        first = ref rented[1];
        first = 1;
        ArrayPool<byte>.Shared.Return(rented);
        return next(length);
    }

    internal void Return()
    {
        ArrayPool<byte>.Shared.Return(_kept);
        foreach (byte[] element in live)
        {
            ArrayPool<byte>.Shared.Return(element);
        }
    }
}
