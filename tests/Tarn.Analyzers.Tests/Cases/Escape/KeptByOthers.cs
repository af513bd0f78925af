using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;

internal sealed class Request
{
    public byte[]? Buffer;

    public Memory<byte> Body { get; set; }

    public void Send() => Buffer = null;
}

/// <summary>An object that lives on keeps the array that the method returns.</summary>
internal sealed class WrongKeepers
{
    private readonly List<byte[]> _list = [];
    private readonly Request _request = new();

    internal void Collection(List<byte[]> list)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        list.Add(array); // expect TARN003
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void Element(Dictionary<int, byte[]> map, Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        try
        {
            map[1] = array; // expect TARN003
            stream.ReadExactly(array, 0, 9);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }

    internal void Segment(Queue<ArraySegment<byte>> queue)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        queue.Enqueue(new ArraySegment<byte>(array, 0, 9)); // expect TARN003
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void MemoryInList(List<ReadOnlyMemory<byte>> list)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        list.Add(array.AsMemory(0, 9)); // expect TARN003
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void Field(Request request)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Buffer = array; // expect TARN003
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void Property(Request request)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Body = array.AsMemory(0, 9); // expect TARN003
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void OwnObject()
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        _request.Buffer = array; // expect TARN003
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void OfOwner(List<Memory<byte>> list)
    {
        using IMemoryOwner<byte> owner = MemoryPool<byte>.Shared.Rent(9);
        list.Add(owner.Memory); // expect TARN003
    }
}

internal sealed class RightKeepers
{
    private readonly List<byte[]> _list = [];
    private readonly Request _request = new();

    internal void Removed(List<byte[]> list, Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        list.Add(array);
        stream.ReadExactly(array, 0, 9);
        list.RemoveAt(list.Count - 1);
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void RemovedByHelper(List<byte[]> list)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        list.Add(array);
        Empty(list);
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void TakenBack(Request request)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Buffer = array;
        request.Buffer = null;
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void Sent(Request request)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Buffer = array;
        request.Send();
        ArrayPool<byte>.Shared.Return(array);
    }

    internal async Task Awaited(Request request, Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Buffer = array;
        await stream.FlushAsync();
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void KeptOrReturned(List<byte[]> list, Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        if (stream.Read(array, 0, 9) > 0)
        {
            list.Add(array);
        }
        else
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }

    internal void ReturnedWhenItThrows(List<byte[]> list, Stream stream)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        try
        {
            list.Add(array);
            stream.ReadExactly(array, 0, 9);
        }
        catch (IOException)
        {
            list.Clear();
            ArrayPool<byte>.Shared.Return(array);
            throw;
        }
    }

    /// <summary>The object is the method's own, and ends with it.</summary>
    internal void OwnObject(Stream stream)
    {
        Request request = new();
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Buffer = array;
        stream.Write(array, 0, 9);
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void ReplacedParameter(Request request)
    {
        request = new Request();
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Buffer = array;
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void Found(Func<Request> find)
    {
        Request request = find();
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        request.Buffer = array;
        ArrayPool<byte>.Shared.Return(array);
    }

    internal void Copied(List<byte[]> list)
    {
        byte[] array = ArrayPool<byte>.Shared.Rent(9);
        list.Add(array.AsSpan(0, 9).ToArray());
        ArrayPool<byte>.Shared.Return(array);
    }

    private static void Empty(List<byte[]> list) => list.Clear();
}
