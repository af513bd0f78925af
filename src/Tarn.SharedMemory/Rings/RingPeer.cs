namespace Tarn.SharedMemory;

/// <summary>The process at the other side of a ring, and the number of processes that have been there.</summary>
internal readonly record struct RingPeer(RoleHolder Role, uint Attachment);
