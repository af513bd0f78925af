using System.Buffers;
using System.Threading.Tasks;

internal sealed class HandedOut
{
    private byte[]? _cached;

    internal static int Never(int length)
    {
        byte[] buffer = Take(length); // expect TARN011
        return buffer[0];
    }

    internal static void Twice(int length)
    {
        byte[] buffer = Filled(length);
        ArrayPool<byte>.Shared.Return(buffer);
        ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
    }

    internal static async Task<int> NeverAfterAwait(int length)
    {
        byte[] buffer = await TakeAsync(length).ConfigureAwait(false); // expect TARN011
        return buffer[0];
    }

    internal static async Task<int> NeverOutOfTuple(int length)
    {
        (int count, byte[]? buffer) = await ReadAsync(length).ConfigureAwait(false); // expect TARN011
        return count < 0 ? -1 : buffer![count];
    }

    internal static async Task<int> ReturnedWhereThereIsOne(int length)
    {
        (int count, byte[]? buffer) = await ReadAsync(length).ConfigureAwait(false);
        if (count < 0)
        {
            return -1;
        }

        int first = buffer![0];
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    internal static int Returned(int length)
    {
        byte[] buffer = Take(length);
        int first = buffer[0];
        ArrayPool<byte>.Shared.Return(buffer);
        return first;
    }

    internal static byte[] PassedOn(int length)
    {
        byte[] buffer = Filled(length);
        buffer[1] = 2;
        return buffer;
    }

    internal static int NotRented(int length) => Fresh(length)[0] + Either(length)[0];

    internal int OfTheField(int length)
    {
        byte[] buffer = Cached(length);
        return buffer[0];
    }

    private static byte[] Take(int length) => ArrayPool<byte>.Shared.Rent(length);

    private static byte[] Filled(int length)
    {
        byte[] buffer = Take(length);
        try
        {
            buffer[0] = 1;
            return buffer;
        }
        catch
        {
            ArrayPool<byte>.Shared.Return(buffer);
            throw;
        }
    }

    private static async Task<byte[]> TakeAsync(int length)
    {
        await Task.Yield();
        return ArrayPool<byte>.Shared.Rent(length);
    }

    private static async Task<(int Count, byte[]? Buffer)> ReadAsync(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        await Task.Yield();
        if (buffer[0] == 0)
        {
            ArrayPool<byte>.Shared.Return(buffer);
            return (-1, null);
        }

        return (length, buffer);
    }

    private static byte[] Fresh(int length) => new byte[length];

    private static byte[] Either(int length) => length > 100 ? ArrayPool<byte>.Shared.Rent(length) : new byte[100];

    private byte[] Cached(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        _cached = buffer;
        return buffer;
    }
}
