namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>What messages and rooms refuse: no lambda can have them.</summary>
internal static class Messages
{
    /// <summary>The exception of a commit.</summary>
    internal static T Refusal<T>(SharedRoom room, int length)
        where T : Exception
    {
        try
        {
            room.Commit(length);
        }
        catch (T e)
        {
            return e;
        }

        throw new InvalidOperationException("The message was published.");
    }

    /// <summary>The exception of a pass.</summary>
    internal static T Refusal<T>(SharedMessage message)
        where T : Exception
    {
        try
        {
            message.Pass();
        }
        catch (T e)
        {
            return e;
        }

        throw new InvalidOperationException("The message was passed.");
    }
}
