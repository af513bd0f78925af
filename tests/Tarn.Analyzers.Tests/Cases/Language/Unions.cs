using System;
using System.Buffers;
using System.Runtime.CompilerServices;

/// <summary>A union holds what it is made of: what goes into one may come back out of it.</summary>
internal static class Unions
{
    internal static Payload Leaves(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        return buffer;
    }

    internal static Payload LeavesByConstructor(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Payload payload = new(buffer);
        return payload;
    }

    internal static int ReturnedFromIt(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Payload payload = buffer;
        try
        {
            return Length(payload);
        }
        finally
        {
            if (payload is byte[] back)
            {
                ArrayPool<byte>.Shared.Return(back);
            }
        }
    }

    internal static void ReturnedByCase(int length)
    {
        Payload payload = ArrayPool<byte>.Shared.Rent(length);
        switch (payload)
        {
            case byte[] buffer:
                ArrayPool<byte>.Shared.Return(buffer);
                break;
        }
    }

    internal static int Length(Payload payload) => payload switch
    {
        byte[] buffer => buffer.Length,
        string text => text.Length,
    };

    internal static void UsedBehindIt(int length)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
        Payload payload = buffer;
        ArrayPool<byte>.Shared.Return(buffer);
        _ = Length(payload);
        buffer[1] = 2; // expect TARN002
    }

    internal static int Closed(Shape shape) => shape switch
    {
        Circle circle => Taken(circle),
        Square square => square.Side,
    };

    internal static Shape MadeOfIt(int length) => new Circle(ArrayPool<byte>.Shared.Rent(length));

    private static int Taken(Circle circle)
    {
        ArrayPool<byte>.Shared.Return(circle.Points);
        return circle.Points[0];
    }

    internal union Payload(byte[], string)
    {
        internal static void Twice(int length)
        {
            byte[] buffer = ArrayPool<byte>.Shared.Rent(length);
            ArrayPool<byte>.Shared.Return(buffer);
            ArrayPool<byte>.Shared.Return(buffer); // expect TARN001
        }
    }

    internal closed record class Shape;

    internal sealed record class Circle(byte[] Points) : Shape;

    internal sealed record class Square(int Side) : Shape;
}

namespace System.Runtime.CompilerServices
{
    /// <summary>What .NET 11 has, and the compiler asks for.</summary>
    internal interface IUnion
    {
        object? Value { get; }
    }

    [AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
    internal sealed class UnionAttribute : Attribute;

    [AttributeUsage(AttributeTargets.Class)]
    internal sealed class IsClosedTypeAttribute : Attribute;
}
